#!/usr/bin/env python3
"""One fit of scikit-learn's DecisionTreeRegressor, for benchmarks/cart.cc.

    cart_sklearn.py FILE LEAVES

Prints seconds of processor time on one thread, megabytes at the peak beyond the samples, and the mean squared error.
Features are handed over in single precision, as it wants them. Needs Debian's python3-sklearn.
"""
import os
import resource
import sys
import time

import numpy
from sklearn.tree import DecisionTreeRegressor

ROWS, FEATURES, OUTPUTS = 1_000_000, 8, 2

numbers = numpy.fromfile(sys.argv[1])
x = numbers[: ROWS * FEATURES].reshape(ROWS, FEATURES).astype(numpy.float32)
y = numbers[ROWS * FEATURES :].reshape(ROWS, OUTPUTS).copy()
del numbers
model = DecisionTreeRegressor(max_leaf_nodes=int(sys.argv[2]) or None, random_state=0)

with open("/proc/self/statm") as statm:
    before = int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
start = time.process_time()
model.fit(x, y)
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(seconds, max(peak - before, 0), numpy.mean((model.predict(x) - y) ** 2))
