export type Store<T> = {
  read: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
}

/** A value that React and plain functions share; made for useSyncExternalStore. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    read: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
