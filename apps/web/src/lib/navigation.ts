/** Milliseconds of the progress bar: a step every 50, none after 200, full at 300, gone 100 later. */
const PROGRESS_STEP_MS = 50
const LAST_PROGRESS_STEP_MS = 200
const PROGRESS_FULL_MS = 300
const PROGRESS_GONE_MS = 400

/** By 10 up to 70, then by 2 up to 90. */
export const computeNextProgress = (percent: number) =>
  percent < 70 ? Math.min(70, percent + 10) : Math.min(90, percent + 2)

/** What the bar shows so long after a route change; null once it is gone. */
export function computeProgress(elapsed: number): number | null {
  if (elapsed >= PROGRESS_GONE_MS) return null
  if (elapsed >= PROGRESS_FULL_MS) return 100
  let percent = 0
  for (let at = PROGRESS_STEP_MS; at <= Math.min(elapsed, LAST_PROGRESS_STEP_MS); at += PROGRESS_STEP_MS)
    percent = computeNextProgress(percent)
  return percent
}

/** The moments at which the bar changes. */
export const PROGRESS_TIMES = [0, 50, 100, 150, 200, 300, 400] as const

/** Calls once things have been quiet for that long. */
export function debounce(work: () => void, wait: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(work, wait)
  }
  return Object.assign(schedule, { cancel: () => clearTimeout(timer) })
}

export const RESIZE_DEBOUNCE_MS = 250

/** The part of the page a hash names; a hash may hold anything a person types. */
export function findAnchor(hash: string): HTMLElement | null {
  if (hash.length < 2) return null
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}

const SETTLE_MS = 3000

function focusOnContent() {
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  target.tabIndex = -1
  target.classList.add('focus-visible:outline-none')
  target.focus({ preventScroll: true })
}

/** Nowhere a person has put it: on the page as a whole, or on the content that had no heading yet. */
const isFocusIdle = () => document.activeElement === document.body || document.activeElement?.tagName === 'MAIN'

/**
 * So that a screen reader announces the new page: focus goes to its heading, or to the content while there is none.
 * A screen often draws its heading again once its data are there, so focus is given back for a short while.
 */
export function focusHeading(): () => void {
  focusOnContent()
  const watcher = new MutationObserver(() => isFocusIdle() && focusOnContent())
  watcher.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => watcher.disconnect(), SETTLE_MS)
  return () => {
    clearTimeout(timer)
    watcher.disconnect()
  }
}
