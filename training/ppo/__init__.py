"""Proximal policy optimisation (PPO) by self-play: the learner, its network and its games."""
