// Highlights on the board: the selected piece, its destinations, pieces that can be selected, kings in check.
import { shown } from "./server.js";

/** Show the highlights; `page` has state, info, choosing, premove, chains and isMine. Returns the places where a
 * click has an effect: {targets, starts}, sets of indexes. */
export function light(drawing, page) {
  const { state, choosing, premove, chains } = page;
  const at = (index) => drawing.byIndex.get(index);
  drawing.clear();
  if (state.length === state.opening && !choosing.isPicked && !shown) lightGoals(drawing, page.info);
  for (const index of state.check ?? []) drawing.framed(at(index), "check");
  for (const index of state.outcome?.places ?? []) drawing.framed(at(index), "won");
  for (const index of [premove.from, premove.to]) drawing.framed(at(index), "ahead");
  const occupied = new Set(drawing.pieces().keys());
  const lit = { targets: choosing.targets(), starts: choosing.canStart() };
  const can = new Set(lit.starts);
  if (choosing.chosen && "from" in choosing.chosen) drawing.framed(at(choosing.chosen.from), "chosen");
  lightStores(page);
  if (choosing.isPicked) {
    for (const index of lit.targets) {
      if (at(index)) drawing.target(at(index), occupied.has(at(index).name));
      can.add(index);
    }
    const from = choosing.chosen?.from ?? -1;
    if (from >= 0 && page.isMine) chains.look(from, choosing.picked());
    for (const index of from === chains.from && !choosing.open ? chains.ways.keys() : []) {
      if (at(index) && !lit.targets.has(index)) { drawing.far(at(index)); can.add(index); }
    }
  } else lightStarts(drawing, page, occupied);
  for (const place of drawing.places) place.node.classList.toggle("can", can.has(place.index));
  for (const node of drawing.pieces().values()) node.classList.toggle("can", can.has(Number(node.dataset.index)));
  return lit;
}

/** Before the first move of a game for more than two players, mark the goals of all in their colours. */
function lightGoals(drawing, { players }) {
  const racing = players.filter(({ goal }) => goal?.length);
  if (racing.length > 2) for (const { goal, fill } of racing) for (const index of goal) drawing.goal(drawing.byIndex.get(index), fill);
}

/** Mark pieces off the board that can be selected, and the one that is selected. */
function lightStores({ choosing, info }) {
  for (const button of document.querySelectorAll(".held")) {
    const { player, type } = button.dataset;
    const isUsable = choosing.canDrop(Number(player), type);
    button.classList.toggle("can", isUsable);
    button.setAttribute("aria-pressed", String(isUsable && choosing.chosen?.type === info.types.indexOf(type)));
  }
}

/** Mark the movable pieces, but only if there are few of them; many marks would be noise. */
function lightStarts(drawing, { state, choosing }, occupied) {
  const few = choosing.here.size <= 40 && (state.inTurn || choosing.sources.size === 0);
  for (const index of few ? choosing.here.keys() : []) {
    const place = drawing.byIndex.get(index);
    if (place) drawing.target(place, occupied.has(place.name));
  }
  if (choosing.sources.size && choosing.sources.size <= 3) {
    for (const index of choosing.sources.keys()) drawing.framed(drawing.byIndex.get(index), "source");
  }
}
