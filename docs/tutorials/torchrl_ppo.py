"""PPO of TorchRL learns Star Realms against `simple`, with a masked categorical policy."""

import torch
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from stardeck.envs import star_realms_v1

FRAMES = 1024  # decisions of a rollout
UPDATES = 20
EPOCHS = 4

torch.manual_seed(7)
solo = star_realms_v1.SingleAgentEnv(opponents="simple", seat="rotate", mask_in="obs", observation_dtype="float32")
env = TransformedEnv(
    GymWrapper(solo, categorical_action_encoding=True),
    DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]),
)
env.set_seed(7)
size, actions = solo.game.observation_size, solo.game.num_actions
body = torch.nn.Sequential(torch.nn.Linear(size, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions))
actor = ProbabilisticTensorDictSequential(
    TensorDictModule(body, in_keys=["observation"], out_keys=["logits"]),
    ProbabilisticTensorDictModule(
        in_keys={"logits": "logits", "mask": "action_mask"}, out_keys=["action"],
        distribution_class=MaskedCategorical, return_log_prob=True,
    ),
)  # fmt: skip
critic = ValueOperator(
    torch.nn.Sequential(torch.nn.Linear(size, 128), torch.nn.ReLU(), torch.nn.Linear(128, 1)), in_keys=["observation"]
)
loss, advantage = ClipPPOLoss(actor, critic), GAE(gamma=1.0, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
collector = Collector(env, actor, frames_per_batch=FRAMES, total_frames=FRAMES * UPDATES)
for update, batch in enumerate(collector, 1):
    done, paid = batch["next", "done"].squeeze(-1), batch["next", "reward"].squeeze(-1)
    for _ in range(EPOCHS):
        advantage(batch)
        losses = loss(batch)
        optimizer.zero_grad()
        sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
        optimizer.step()
    print(f"update {update}: {int(done.sum())} games over, {int((paid > 0).sum())} of them won")
collector.shutdown()
