#!/usr/bin/env python3
"""A tree in PyTorch, one observation at a time: the speed beside which exported code is measured.

    export_pytorch.py <tables.json> <seconds>

Reads the tables that `icct export --to json` writes. Prints two lines, microseconds of processor
time per call and what was called: the crisp tree as a plain module (all decisions at once, then the
leaf's controllers), and the learnable tree as published, which finds its crisp form anew in every
call (8 leaves, whatever the tables say). Needs Debian's python3-torch.
"""

import json
import sys
import time

import torch
from torch import nn

import update_pytorch


class CrispTree(nn.Module):
    def __init__(self, tables):
        super().__init__()
        nodes, leaves = tables["nodes"], tables["leaves"]
        inputs, outputs = len(tables["observations"]), len(tables["actions"])
        sign = [-1.0 if node["at_most"] else 1.0 for node in nodes]
        self.features = torch.tensor([node["feature"] for node in nodes])
        self.signs = torch.tensor(sign)
        self.thresholds = torch.tensor([s * node["threshold"] for s, node in zip(sign, nodes)])
        self.paths = torch.zeros(len(nodes), len(leaves))
        self.offsets = torch.zeros(len(leaves))
        self.mark_paths(nodes, tables["root"], [])
        self.gains = torch.zeros(len(leaves), outputs, inputs)
        self.biases = torch.zeros(len(leaves), outputs)
        for i, leaf in enumerate(leaves):
            for a, controller in enumerate(leaf["controllers"]):
                self.biases[i, a] = controller["bias"]
                for feature, gain in controller["terms"]:
                    self.gains[i, a, feature] = gain
        self.lower = torch.tensor([action["lower"] for action in tables["actions"]])
        self.span = torch.tensor([action["upper"] - action["lower"] for action in tables["actions"]])

    def mark_paths(self, nodes, at, path):
        if at < 0:
            for node, sign in path:
                self.paths[node, -1 - at] = sign
                self.offsets[-1 - at] -= max(sign, 0)
            return
        self.mark_paths(nodes, nodes[at]["yes"], path + [(at, 1.0)])
        self.mark_paths(nodes, nodes[at]["no"], path + [(at, -1.0)])

    def forward(self, x):
        decisions = (x[self.features] * self.signs >= self.thresholds).float()
        leaf = (decisions @ self.paths + self.offsets).argmax()
        output = self.gains[leaf] @ x + self.biases[leaf]
        return self.lower + (torch.tanh(output) + 1) / 2 * self.span


def microseconds(module, x, seconds):
    times = []
    end = time.monotonic() + seconds
    with torch.no_grad():
        for _ in range(50):
            module(x)
        while time.monotonic() < end:
            start = time.process_time()
            module(x)
            times.append(time.process_time() - start)
    return sorted(times)[len(times) // 10] * 1e6


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    with open(sys.argv[1]) as file:
        tables = json.load(file)
    seconds = float(sys.argv[2])
    x = torch.randn(len(tables["observations"]))
    print(microseconds(CrispTree(tables), x, seconds), "PyTorch, crisp module")
    published = torch.randn(1, update_pytorch.OBSERVATIONS)
    print(microseconds(update_pytorch.Tree(), published, seconds), "PyTorch, module as published")


if __name__ == "__main__":
    main()
