export type TipSide = 'top' | 'right'
type Size = { width: number; height: number }
type Box = { left: number; top: number; right: number; bottom: number }

const GAP = 6
const MARGIN = 8

const clampToPage = (value: number, size: number, room: number) =>
  Math.max(MARGIN, Math.min(value, room - size - MARGIN))

/** Beside its target and whole on the page: under it where there is no room above. */
export function placeTip(target: Box, tip: Size, side: TipSide, page: Size): { left: number; top: number } {
  const middle = { x: (target.left + target.right) / 2, y: (target.top + target.bottom) / 2 }
  if (side === 'right')
    return {
      left: clampToPage(target.right + GAP, tip.width, page.width),
      top: clampToPage(middle.y - tip.height / 2, tip.height, page.height),
    }
  const above = target.top - GAP - tip.height
  return {
    left: clampToPage(middle.x - tip.width / 2, tip.width, page.width),
    top: above >= MARGIN ? above : target.bottom + GAP,
  }
}
