#!/usr/bin/env python3
"""One fit of scikit-learn's DecisionTreeRegressor, for benchmarks/cart.cc.

    cart_sklearn.py FILE LEAVES

Prints seconds of processor time on one thread, megabytes at the peak beyond the samples, and the mean squared error.
Features are handed over in single precision, as it wants them. Needs Debian's python3-sklearn.
"""
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


def megabytes(name):
    """VmRSS or VmHWM of this process."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


# The peak so far is that of loading the samples; from here on it is that of the fit.
with open("/proc/self/clear_refs", "w", encoding="ascii") as clear_refs:
    clear_refs.write("5")
before = megabytes("VmRSS")
start = time.process_time()
model.fit(x, y)
seconds = time.process_time() - start
peak = megabytes("VmHWM")
print(seconds, max(peak - before, 0), numpy.mean((model.predict(x) - y) ** 2))
