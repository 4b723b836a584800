// Draws the figures one after the other, each as wide as its card and in the colours of the page.
// What is drawn stays reachable as kumihimoFigures[name].
window.kumihimoFigures = {};

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const darkColours = JSON.parse(document.getElementById("dark-colours").textContent);
// Below this width panels stand one below the other, and legends below their figure.
const narrowRoom = 640;
const leastWidth = 120;
// Room for an entry of a legend, so that legends do not make a figure wide.
const leastColumn = 170;
const mostTries = 4;
// Pixels. Below the second, labels of pictures would lie over each other.
const leastFont = 8;
const vanishingFont = 4.5;

function specificationOf(name) {
    const text = document.getElementById(`specification-${name}`).textContent;
    return JSON.parse(text, (key, value) =>
        dark.matches && typeof value === "string" ? darkColours[value] ?? value : value);
}

function views(specification) {
    const inner = ["hconcat", "vconcat", "layer"].flatMap((key) => specification[key] ?? []);
    return [specification, ...inner.flatMap(views)];
}

function makeNarrow(specification, room) {
    const { hconcat, config, ...rest } = specification;
    const columns = Math.max(1, Math.floor(room / leastColumn));
    const layout = { bottom: { direction: "vertical", anchor: "start" } };
    const legend = { ...config.legend, orient: "bottom", columns, layout };
    const axis = { ...config.axis, labelLimit: 0.3 * room, labelOverlap: "greedy" };
    const panels = hconcat ? { vconcat: hconcat } : {};
    const narrow = { ...rest, ...panels, config: { ...config, legend, axis } };
    for (const view of views(narrow)) {
        for (const channel of Object.values(view.encoding ?? {})) {
            if (channel.legend?.orient) channel.legend.columns = columns;
        }
    }
    return narrow;
}

// The factor by which each mark of a picture has shrunk so far.
const shrunk = new WeakMap();

// Text stays large enough to be read. Where it would be far too large for its place, it is left to
// the tooltip.
function shrinkMark(mark, factor) {
    const known = shrunk.get(mark) ?? { factor: 1, fontSize: mark.fontSize, size: mark.size };
    known.factor *= factor;
    shrunk.set(mark, known);
    if (known.fontSize) {
        const fontSize = known.fontSize * known.factor;
        mark.fontSize = Math.max(leastFont, fontSize);
        mark.opacity = fontSize < vanishingFont ? 0 : 1;
    }
    if (known.size) mark.size = known.size * known.factor * known.factor;
}

// Reduces the widths by `excess` pixels. Pictures that keep their shape shrink with all they have.
function shrink(specification, excess) {
    const step = excess / (specification.hconcat?.length ?? 1);
    const keepsAspect = specification.usermeta?.keepsAspect;
    for (const view of views(specification)) {
        if (typeof view.width !== "number") continue;
        const factor = Math.max(leastWidth, view.width - step) / view.width;
        view.width *= factor;
        if (!keepsAspect) continue;
        view.height *= factor;
        for (const { mark } of views(view)) {
            if (mark?.fontSize || mark?.size) shrinkMark(mark, factor);
        }
    }
}

function drawnWidth(drawing) {
    const svg = drawing.querySelector("svg.marks");
    if (svg) return svg.width.baseVal.value;
    return drawing.querySelector("canvas").width / window.devicePixelRatio;
}

async function embed(drawing, name, specification) {
    const options = {
        mode: "vega-lite",
        renderer: drawing.dataset.renderer,
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: `kumihimo-${name}`,
        tooltip: { theme: dark.matches ? "dark" : "light" },
    };
    window.kumihimoFigures[name]?.finalize();
    const result = await window.vegaEmbed(drawing, specification, options);
    window.kumihimoFigures[name] = result.view;
}

async function draw(drawing) {
    const name = drawing.id.slice("drawing-".length);
    drawing.dataset.theme = dark.matches ? "dark" : "light";
    try {
        let specification = specificationOf(name);
        await embed(drawing, name, specification);
        // The button for downloads is next to the figure.
        const style = getComputedStyle(drawing);
        const room = drawing.clientWidth - parseFloat(style.paddingRight) - 1;
        drawing.dataset.room = room;
        if (drawnWidth(drawing) > room && room < narrowRoom) {
            specification = makeNarrow(specification, room);
            await embed(drawing, name, specification);
        }
        for (let tries = 0; drawnWidth(drawing) > room && tries < mostTries; ++tries) {
            shrink(specification, drawnWidth(drawing) - room);
            await embed(drawing, name, specification);
        }
    } catch (error) {
        drawing.textContent = `This figure could not be drawn: ${error.message}`;
        drawing.classList.add("failed");
        console.error(error);
    }
}

async function drawAll() {
    document.body.dataset.drawn = "";
    for (const drawing of document.querySelectorAll(".drawing")) await draw(drawing);
    document.body.dataset.drawn = "yes";
}

let drawing = drawAll();
const again = () => { drawing = drawing.then(drawAll); };
dark.addEventListener("change", again);
let width = window.innerWidth;
let timer = 0;
window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
        if (window.innerWidth !== width) again();
        width = window.innerWidth;
    }, 200);
});
