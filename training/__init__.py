"""Training agents: `train` (training/train.py). Install `stardeck[train]`."""

from stardeck.training.train import train

__all__ = ["train"]
