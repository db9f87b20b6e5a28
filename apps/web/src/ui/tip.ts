import { placeTip, type Side } from './tip-place.ts'

const PATIENCE_MS = { top: 350, right: 150 }
/** Long enough to reach the tip itself with the pointer. */
const GRACE_MS = 120
const LOOK =
  'fixed top-0 left-0 z-60 w-max max-w-64 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-[0.8125rem] leading-snug text-white'

let shown: { target: Element; tip: HTMLElement } | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let pressed = false
/** What was said of the button that was pressed: it is not said again before the pointer has left. */
let told: string | null = null

const later = (run: () => void, delay: number) => {
  clearTimeout(timer)
  timer = setTimeout(run, delay)
}
const targetOf = (event: Event) => (event.target instanceof Element ? event.target.closest('[data-tip]') : null)
const textOf = (target: Element | null | undefined) => target?.getAttribute('data-tip') ?? null
const isOpen = (target: Element) => target.matches('[aria-haspopup][aria-expanded="true"]')
const sideOf = (target: Element): Side => (target.getAttribute('data-tip-side') === 'right' ? 'right' : 'top')

function hide() {
  clearTimeout(timer)
  if (!shown) return
  const { target, tip } = shown
  if (target.getAttribute('aria-describedby') === tip.id) target.removeAttribute('aria-describedby')
  tip.remove()
  shown = undefined
}

function show(target: Element) {
  const text = textOf(target)
  // What it opens says it better.
  if (shown?.target === target || !text || !target.isConnected || isOpen(target)) return
  hide()
  const tip = Object.assign(document.createElement('div'), { id: 'tip', role: 'tooltip', className: LOOK })
  tip.textContent = text
  document.body.append(tip)
  const page = { width: document.documentElement.clientWidth, height: innerHeight }
  const { left, top } = placeTip(target.getBoundingClientRect(), tip.getBoundingClientRect(), sideOf(target), page)
  tip.style.translate = `${left}px ${top}px`
  // A button whose name it is would be read twice.
  if (target.getAttribute('aria-label') !== text && !target.hasAttribute('aria-describedby'))
    target.setAttribute('aria-describedby', tip.id)
  shown = { target, tip }
}

function onPointerOver(event: PointerEvent) {
  if (event.pointerType === 'touch' || pressed) return
  const target = targetOf(event)
  if (textOf(target) !== told) told = null
  if (target && told === null) later(() => show(target), shown?.target === target ? 0 : PATIENCE_MS[sideOf(target)])
  else if (shown && event.target === shown.tip) clearTimeout(timer)
  else later(hide, GRACE_MS)
}

function onFocusIn(event: FocusEvent) {
  const target = targetOf(event)
  if (target && !pressed) show(target)
  else if (!target) hide()
}

function onPress(event: Event) {
  pressed = true
  told = textOf(targetOf(event))
  hide()
}
const onRelease = () => {
  pressed = false
}
const onKeyDown = (event: KeyboardEvent) => {
  if (event.key === 'Escape') hide()
}

let watching = false
/** One watch for the page, whichever number of buttons have something to say. */
export function watchTips() {
  if (watching) return
  watching = true
  document.addEventListener('pointerover', onPointerOver)
  document.documentElement.addEventListener('pointerleave', hide)
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', hide)
  document.addEventListener('pointerdown', onPress, true)
  document.addEventListener('pointerup', onRelease, true)
  document.addEventListener('pointercancel', onRelease, true)
  document.addEventListener('keydown', onKeyDown, true)
  document.addEventListener('scroll', hide, true)
}
