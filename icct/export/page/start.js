drawSliders();
connectTools();
if (policy.observations.length > 1) connectSlice();
else document.getElementById("slice-section").remove();
document.getElementById("note").textContent = texts.note;
drawTree();
fit(0.75);
refresh();
