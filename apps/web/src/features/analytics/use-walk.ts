import { type KeyboardEvent, useState } from 'react'

const clampIndex = (at: number, count: number) => Math.min(count - 1, Math.max(0, at))

/** Where a key leads from here; nothing where it leads nowhere. */
export function getNextIndex(key: string, at: number | null, count: number): number | undefined {
  const steps: Record<string, () => number> = {
    ArrowRight: () => (at === null ? 0 : at + 1),
    ArrowUp: () => (at === null ? 0 : at + 1),
    ArrowLeft: () => (at === null ? count - 1 : at - 1),
    ArrowDown: () => (at === null ? count - 1 : at - 1),
    PageDown: () => (at ?? 0) - Math.ceil(count / 10),
    PageUp: () => (at ?? 0) + Math.ceil(count / 10),
    Home: () => 0,
    End: () => count - 1,
  }
  const next = steps[key]?.()
  return next === undefined || count === 0 ? undefined : clampIndex(next, count)
}

/** A drawing that is walked by the keyboard as by the pointer: a slider, which says where it stands. */
export function useKeyboardSlider(count: number, label: string, describeAt: (at: number) => string) {
  const [activeIndex, setHeld] = useState<number | null>(null)
  const at = activeIndex === null || count === 0 ? null : clampIndex(activeIndex, count)
  const slider = {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, count - 1),
    'aria-valuenow': at ?? 0,
    'aria-valuetext': count ? describeAt(at ?? 0) : 'Rien n’est connu',
    onKeyDown: (event: KeyboardEvent) => {
      const next = getNextIndex(event.key, at, count)
      if (next === undefined) return
      event.preventDefault()
      setHeld(next)
    },
    onPointerLeave: () => setHeld(null),
  }
  return { at, setAt: setHeld, slider }
}
