import { useCallback, useState } from 'react'
import type { KeyForm } from './form.ts'

/** What is being written; `changed` until it is saved. */
export function useKeyForm(start: KeyForm) {
  // Whoever shows the form may make `start` anew at each render: the first one is what was saved.
  const [saved] = useState(start)
  const [form, setForm] = useState(saved)
  const set = useCallback((change: Partial<KeyForm>) => setForm((old) => ({ ...old, ...change })), [])
  const setCells = useCallback(
    (cells: Record<string, string>) => setForm((old) => ({ ...old, cells: { ...old.cells, ...cells } })),
    [],
  )
  const setCell = useCallback((name: string, text: string) => setCells({ [name]: text }), [setCells])
  return { form, set, setCell, setCells, changed: form !== saved }
}
export type KeyFormState = ReturnType<typeof useKeyForm>
