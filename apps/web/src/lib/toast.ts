export type Toast = {
  id: number
  title: string
  description?: string
  /** Where to see what it speaks of. */
  link?: { to: string; label: string }
  variant: 'default' | 'success' | 'destructive'
  /** Milliseconds on screen. */
  duration: number
}

/** In the shell what went well is said in passing; a link needs the time to be followed. */
const DEFAULT_MS = 5000
const SUCCESS_MS = 2000
let current: Toast | null = null
let lastId = 0
const listeners = new Set<() => void>()

function setCurrentToast(next: Toast | null) {
  current = next
  for (const listener of listeners) listener()
}

/** Says something in passing. One at a time: a new one takes the place of the last. */
export function toast(content: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id'>>) {
  lastId += 1
  const isBrief = content.variant === 'success' && !content.link
  setCurrentToast({ variant: 'default', duration: isBrief ? SUCCESS_MS : DEFAULT_MS, ...content, id: lastId })
}

/** Removes the toast of that id; a newer one stays. */
export const dismissToast = (id: number) => {
  if (current?.id === id) setCurrentToast(null)
}

export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  read: () => current,
}
