import { cloneElement, type ReactElement, useEffect } from 'react'

/** A reminder on hover and focus; never the only place where something is said. */
export function Tooltip({
  label,
  side = 'top',
  children,
}: {
  label: string
  side?: TipSide
  children: ReactElement<object>
}) {
  useEffect(watchTips, [])
  return cloneElement(children, { 'data-tip': label, 'data-tip-side': side } as object) // attributes any element takes
}

const OPEN_DELAY_MS = { top: 350, right: 150 }
/** Long enough to reach the tip itself with the pointer. */
const CLOSE_DELAY_MS = 120
const TIP_CLASS =
  'fixed top-0 left-0 z-60 w-max max-w-64 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-[0.8125rem] leading-snug text-white'

let current: { target: Element; tip: HTMLElement } | undefined
let pendingTimer: ReturnType<typeof setTimeout> | undefined
let isPressed = false
/** What was said of the button that was pressed: it is not said again before the pointer has left. */
let dismissedText: string | null = null

const schedule = (run: () => void, delay: number) => {
  clearTimeout(pendingTimer)
  pendingTimer = setTimeout(run, delay)
}
const findTipTarget = (event: Event) => (event.target instanceof Element ? event.target.closest('[data-tip]') : null)
const getTipText = (target: Element | null | undefined) => target?.getAttribute('data-tip') ?? null
const isMenuOpen = (target: Element) => target.matches('[aria-haspopup][aria-expanded="true"]')
const getTipSide = (target: Element): TipSide => (target.getAttribute('data-tip-side') === 'right' ? 'right' : 'top')

function hideTip() {
  clearTimeout(pendingTimer)
  if (!current) return
  const { target, tip } = current
  if (target.getAttribute('aria-describedby') === tip.id) target.removeAttribute('aria-describedby')
  tip.remove()
  current = undefined
}

function showTip(target: Element) {
  const text = getTipText(target)
  // What it opens says it better.
  if (current?.target === target || !text || !target.isConnected || isMenuOpen(target)) return
  hideTip()
  const tip = Object.assign(document.createElement('div'), { id: 'tip', role: 'tooltip', className: TIP_CLASS })
  tip.textContent = text
  document.body.append(tip)
  const page = { width: document.documentElement.clientWidth, height: innerHeight }
  const { left, top } = placeTip(target.getBoundingClientRect(), tip.getBoundingClientRect(), getTipSide(target), page)
  tip.style.translate = `${left}px ${top}px`
  // A button whose name it is would be read twice.
  if (target.getAttribute('aria-label') !== text && !target.hasAttribute('aria-describedby'))
    target.setAttribute('aria-describedby', tip.id)
  current = { target, tip }
}

function onPointerOver(event: PointerEvent) {
  if (event.pointerType === 'touch' || isPressed) return
  const target = findTipTarget(event)
  if (getTipText(target) !== dismissedText) dismissedText = null
  if (target && dismissedText === null)
    schedule(() => showTip(target), current?.target === target ? 0 : OPEN_DELAY_MS[getTipSide(target)])
  else if (current && event.target === current.tip) clearTimeout(pendingTimer)
  else schedule(hideTip, CLOSE_DELAY_MS)
}

function onFocusIn(event: FocusEvent) {
  const target = findTipTarget(event)
  if (target && !isPressed) showTip(target)
  else if (!target) hideTip()
}

function onPress(event: Event) {
  isPressed = true
  dismissedText = getTipText(findTipTarget(event))
  hideTip()
}
const onRelease = () => {
  isPressed = false
}
const onKeyDown = (event: KeyboardEvent) => {
  if (event.key === 'Escape') hideTip()
}

let isWatching = false
/** One watch for the page, whichever number of buttons have something to say. */
function watchTips() {
  if (isWatching) return
  isWatching = true
  document.addEventListener('pointerover', onPointerOver)
  document.documentElement.addEventListener('pointerleave', hideTip)
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', hideTip)
  document.addEventListener('pointerdown', onPress, true)
  document.addEventListener('pointerup', onRelease, true)
  document.addEventListener('pointercancel', onRelease, true)
  document.addEventListener('keydown', onKeyDown, true)
  document.addEventListener('scroll', hideTip, true)
}

type TipSide = 'top' | 'right'
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
