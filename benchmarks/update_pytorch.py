#!/usr/bin/env python3
"""One SAC update in PyTorch, as published: the same maths as benchmarks/update.cc, with autograd.

    update_pytorch.py <batch> <hidden> <tree|mlp> <seconds>

Prints the milliseconds of processor time of one undisturbed update on one thread: nine of ten in
the run take longer. Needs Debian's python3-torch.
"""

import copy
import sys
import time

import torch
from torch import nn

OBSERVATIONS, ACTIONS, LEAVES, FEATURES = 8, 2, 8, 2


def diff_argmax(logits):
    """One-hot of the largest logit, with the gradient of the softmax."""
    soft = torch.softmax(logits, dim=-1)
    hard = torch.zeros_like(soft).scatter_(-1, soft.max(dim=-1, keepdim=True)[1], 1.0)
    return hard - soft.detach() + soft


class Tree(nn.Module):
    """Crisp nodes, sparse leaves; selectors as in most published domains."""

    def __init__(self):
        super().__init__()
        nodes = LEAVES - 1
        self.weights = nn.Parameter(torch.rand(nodes, OBSERVATIONS))
        self.thresholds = nn.Parameter(torch.randn(nodes, 1))
        self.steepness = nn.Parameter(torch.ones(nodes, 1))
        self.log_stds = nn.Parameter(torch.empty(LEAVES, ACTIONS))
        nn.init.xavier_uniform_(self.log_stds)
        shape = (LEAVES, ACTIONS, OBSERVATIONS)
        self.gains = nn.Parameter(torch.empty(shape))
        self.selectors = nn.Parameter(torch.empty(shape))
        self.biases = nn.Parameter(torch.empty(shape))
        for block in (self.gains, self.selectors, self.biases):
            nn.init.xavier_normal_(block)
        left, right = torch.zeros(nodes, LEAVES), torch.zeros(nodes, LEAVES)
        for leaf in range(LEAVES):
            node = leaf + nodes
            while node > 0:
                parent = (node - 1) // 2
                (left if node == 2 * parent + 1 else right)[parent, leaf] = 1
                node = parent
        self.register_buffer("left", left)
        self.register_buffer("right", right)

    def leaf_probabilities(self, x):
        z = diff_argmax(self.weights.abs())
        divisor = (self.weights.abs() * z).sum(dim=1, keepdim=True)
        value = self.steepness * ((self.weights * z / divisor) @ x.t() - self.thresholds / divisor)
        value = value.t().unsqueeze(-1)
        outcome = diff_argmax(torch.cat((value, torch.zeros_like(value)), dim=-1))
        yes, no = outcome[:, :, 0:1], outcome[:, :, 1:2]
        path = yes * self.left + no * self.right + (1 - self.left - self.right)
        return path.prod(dim=1)

    def forward(self, x):
        probabilities = self.leaf_probabilities(x)
        selectors = self.selectors.abs()
        means = 0
        for _ in range(FEATURES):
            z = diff_argmax(selectors)
            selectors = selectors - selectors * z
            gain = (z * self.gains).sum(dim=-1)
            bias = (z * self.biases).sum(dim=-1)
            means = means + torch.einsum("bi,lai->bla", x, z) * gain + bias
        mean = (probabilities.unsqueeze(-1) * means).sum(dim=1)
        return mean, (probabilities @ self.log_stds).clamp(-20, 2)


class Network(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.latent = layers(OBSERVATIONS, hidden)
        self.mean = nn.Linear(hidden, ACTIONS)
        self.log_std = nn.Linear(hidden, ACTIONS)

    def forward(self, x):
        latent = self.latent(x)
        return self.mean(latent), self.log_std(latent).clamp(-20, 2)


def layers(inputs, hidden, outputs=None):
    parts = [nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()]
    return nn.Sequential(*parts, *([nn.Linear(hidden, outputs)] if outputs else []))


class Critics(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.networks = nn.ModuleList(layers(OBSERVATIONS + ACTIONS, hidden, 1) for _ in range(2))

    def forward(self, x, a):
        joined = torch.cat((x, a), dim=1)
        return torch.cat([network(joined) for network in self.networks], dim=1)


def sample(actor, x):
    mean, log_std = actor(x)
    normal = torch.distributions.Normal(mean, log_std.exp())
    u = normal.rsample()
    action = torch.tanh(u)
    log_prob = normal.log_prob(u).sum(dim=1) - torch.log(1 - action**2 + 1e-6).sum(dim=1)
    return action, log_prob.reshape(-1, 1)


class Sac:
    def __init__(self, hidden, kind):
        self.actor = Tree() if kind == "tree" else Network(hidden)
        self.critics = Critics(hidden)
        self.targets = copy.deepcopy(self.critics)
        self.log_coefficient = torch.zeros(1, requires_grad=True)
        self.actor_adam = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic_adam = torch.optim.Adam(self.critics.parameters(), lr=3e-4)
        self.coefficient_adam = torch.optim.Adam([self.log_coefficient], lr=3e-4)

    def update(self, x, a, reward, next_x, terminated):
        action, log_prob = sample(self.actor, x)
        coefficient = self.log_coefficient.detach().exp()
        entropy_loss = -(self.log_coefficient * (log_prob - ACTIONS).detach()).mean()
        self.step(self.coefficient_adam, entropy_loss)
        with torch.no_grad():
            next_action, next_log_prob = sample(self.actor, next_x)
            next_q, _ = self.targets(next_x, next_action).min(dim=1, keepdim=True)
            target = reward + (1 - terminated) * 0.99 * (next_q - coefficient * next_log_prob)
        q = self.critics(x, a)
        self.step(self.critic_adam, 0.5 * sum(
            nn.functional.mse_loss(q[:, i:i + 1], target) for i in range(2)))
        smaller, _ = self.critics(x, action).min(dim=1, keepdim=True)
        self.step(self.actor_adam, (coefficient * log_prob - smaller).mean())
        with torch.no_grad():
            for follower, leader in zip(self.targets.parameters(), self.critics.parameters()):
                follower.mul_(0.99).add_(leader, alpha=0.01)

    @staticmethod
    def step(optimiser, loss):
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def main():
    batch, hidden, kind, seconds = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    sac = Sac(hidden, kind)
    data = (torch.randn(batch, OBSERVATIONS), torch.rand(batch, ACTIONS) * 2 - 1,
            torch.randn(batch, 1), torch.randn(batch, OBSERVATIONS),
            (torch.rand(batch, 1) < 0.05).float())
    for _ in range(5):
        sac.update(*data)
    times = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(times) < 5:
        start = time.process_time()
        sac.update(*data)
        times.append(time.process_time() - start)
    print(sorted(times)[len(times) // 10] * 1e3)


if __name__ == "__main__":
    main()
