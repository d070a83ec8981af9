"""Fits scikit-learn's DecisionTreeRegressor to the samples of the test and prints what it found.

Standard input, one case after another: rows, features, outputs, leaves, depth, leaf samples (0: no limit), pruning; then
all x, all y, all weights. Output: one line per node, depth first, yes before no: "split FEATURE THRESHOLD" or "leaf VALUE...".
"""
import sys

import numpy
from sklearn.tree import DecisionTreeRegressor


def show(tree, node):
    if tree.children_left[node] < 0:
        print("leaf", *(repr(float(value)) for value in tree.value[node].reshape(-1)))
        return
    print("split", tree.feature[node], repr(float(tree.threshold[node])))
    show(tree, tree.children_left[node])
    show(tree, tree.children_right[node])


words = iter(sys.stdin.read().split())
for word in words:
    rows = int(word)
    features, outputs, leaves, depth, least = (int(next(words)) for _ in range(5))
    pruning = float(next(words))
    x = numpy.array([float(next(words)) for _ in range(rows * features)]).reshape(rows, features)
    y = numpy.array([float(next(words)) for _ in range(rows * outputs)]).reshape(rows, outputs)
    weights = numpy.array([float(next(words)) for _ in range(rows)])
    model = DecisionTreeRegressor(
        max_leaf_nodes=leaves or None,
        max_depth=depth or None,
        min_samples_leaf=max(least, 1),
        ccp_alpha=pruning,
        random_state=0,
    )
    show(model.fit(x, y, sample_weight=weights).tree_, 0)
