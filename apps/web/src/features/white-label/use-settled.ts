import { useEffect, useState } from 'react'

/** A value once it has stayed the same for a moment: the server is not asked at each letter. */
export function useDebouncedValue<T>(value: T, milliseconds: number): T {
  const [debounced, setDebounced] = useState(value)
  const serialized = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(serialized)), milliseconds)
    return () => clearTimeout(timer)
  }, [serialized, milliseconds])
  return debounced
}
