import { useEffect, useState } from 'react'

/** A value once it has stayed the same for a moment: the server is not asked at each letter. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  const written = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(written)), milliseconds)
    return () => clearTimeout(timer)
  }, [written, milliseconds])
  return settled
}
