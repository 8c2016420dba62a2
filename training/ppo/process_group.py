"""Processes that train one network together, each on its share of the games: on a GPU each, or on the processor.

The process that the user started leads: it writes all files. It starts the others, which run `training/follower.py`
and end with it. Every process holds the whole network. Gradients are averaged before each step of the optimizer, so the
weights stay equal.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import timedelta
from typing import Any

import torch
from torch import distributed

HOST = "127.0.0.1"
READY = "ready"  # line on the standard output of a process that is about to join
LONGEST = timedelta(hours=2)  # wait for another process, which may imitate or evaluate meanwhile
ENDING = 60  # seconds that a process may take to end
SETTLING = 5  # seconds from the end of a connection to the end of the process behind it
VISIBLE = "CUDA_VISIBLE_DEVICES"


class ProcessError(ValueError):
    """Error: another process of the training has ended."""


class Group:
    """Group of one process; base class of larger groups.

    Attributes:
        rank: Number of this process; 0 leads.
        size: Number of processes.
    """

    rank, size = 0, 1

    @property
    def leads(self) -> bool:
        """True in the one process that writes files."""
        return self.rank == 0

    def connected(self) -> AbstractContextManager[None]:
        """Return a context in which the processes can reach one another."""
        return nullcontext()

    def share(self, value: Any) -> Any:
        """Return the leader's value in every process."""
        return value

    def gather(self, value: Any) -> list[Any]:
        """Return the values of all processes by rank, to the leader only; to others an empty list."""
        return [value]

    def wait(self) -> None:
        """Wait until every process has come here."""

    def average_gradients(self, weights: Iterable[torch.Tensor]) -> None:
        """Replace the gradient of each weight by its mean over all processes."""

    def copy_weights(self, weights: Iterable[torch.Tensor]) -> None:
        """Take over the leader's weights."""


ALONE = Group()


class Member(Group):
    """Process of a larger group.

    Args:
        rank: Number of this process.
        size: Number of processes.
    """

    def __init__(self, rank: int, size: int) -> None:
        self.rank, self.size = rank, size

    def share(self, value: Any) -> Any:
        """Return the leader's value in every process."""
        shared = [value]
        distributed.broadcast_object_list(shared, src=0)
        return shared[0]

    def gather(self, value: Any) -> list[Any]:
        """Return the values of all processes by rank, to the leader only; to others an empty list."""
        gathered: list[Any] = [None] * self.size if self.leads else []
        distributed.gather_object(value, gathered if self.leads else None, dst=0)
        return gathered

    def wait(self) -> None:
        """Wait until every process has come here."""
        self.share(None)

    def average_gradients(self, weights: Iterable[torch.Tensor]) -> None:
        """Replace the gradient of each weight by its mean over all processes, in one exchange."""
        gradients = [weight.grad for weight in weights if weight.grad is not None]
        joined = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(joined)
        joined /= self.size
        for gradient, mean in zip(gradients, joined.split([each.numel() for each in gradients]), strict=True):
            gradient.copy_(mean.view_as(gradient))

    def copy_weights(self, weights: Iterable[torch.Tensor]) -> None:
        """Take over the leader's weights."""
        for weight in weights:
            distributed.broadcast(weight.data, src=0)

    def _join(self, store: distributed.Store) -> None:
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        distributed.init_process_group(backend, store=store, rank=self.rank, world_size=self.size, timeout=LONGEST)


class Leader(Member):
    """Process that starts the others and writes all files.

    Args:
        size: Number of processes.
        job: Data from which the others make the same training, as JSON can hold it.
    """

    def __init__(self, size: int, job: dict[str, Any]) -> None:
        super().__init__(0, size)
        self._job = job

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Start the other processes, and end them.

        Raises:
            ProcessError: One of them has ended before.
        """
        here = socket.create_server((HOST, 0))  # a store that opens its own port listens on every network
        store = distributed.TCPStore(
            HOST, here.getsockname()[1], is_master=True, wait_for_workers=False, master_listen_fd=here.detach()
        )
        others: list[subprocess.Popen[str]] = []
        try:
            for rank in range(1, self.size):
                others.append(self._start(rank, store.port))
            for rank, other in enumerate(others, 1):
                if other.stdout is None or other.stdout.readline().strip() != READY:
                    raise _ended(rank)
            self._join(store)
            yield
            self.wait()
            for other in others:
                with suppress(subprocess.TimeoutExpired):
                    other.wait(ENDING)
        except RuntimeError as error:  # torch's, when a connection is lost
            ended = [rank for rank, other in enumerate(others, 1) if _has_failed(other)]
            raise (_ended(ended[0]) if ended else error) from None
        finally:
            for other in others:
                other.kill()
                other.communicate()  # closes its streams
            if distributed.is_initialized():
                distributed.destroy_process_group()

    def _start(self, rank, port):
        """Start another process, which ends when its standard input is closed, however this process ends."""
        command = [sys.executable, "-m", "stardeck.training.follower"]
        visible = os.environ.get(VISIBLE, ",".join(map(str, range(self.size)))).split(",")
        own = {VISIBLE: visible[rank]} if rank < len(visible) else {}
        other = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            env=os.environ | own,
        )  # fmt: skip
        assert other.stdin is not None
        other.stdin.write(json.dumps(self._job | {"rank": rank, "size": self.size, "port": port}, default=str) + "\n")
        other.stdin.flush()
        return other


def _has_failed(other):
    try:
        return other.wait(SETTLING) != 0
    except subprocess.TimeoutExpired:
        return False


def _ended(rank):
    return ProcessError(f"process {rank} of the training has ended; its error is above")


class Follower(Member):
    """Process that a leader has started. port: of the leader's store."""

    def __init__(self, rank: int, size: int, port: int) -> None:
        super().__init__(rank, size)
        self._port = port

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Join the leader."""
        print(READY, flush=True)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nobody reads more
        self._join(distributed.TCPStore(HOST, self._port, is_master=False, timeout=LONGEST))
        yield
        self.wait()
        distributed.destroy_process_group()
