import { useEffect } from 'react'

const load = () => import('../lib/white-label.ts')
/** Asked for beside the session, so that it is there once the person is known. */
export const prepareWhiteLabel = () => void load().catch(() => undefined)

/** Without a known company nothing is asked and the product keeps its own look. */
export function useWhiteLabel(id: number | undefined, name = '') {
  useEffect(() => {
    if (id === undefined) return
    const asked = new AbortController()
    const shown = load().then(({ showWhiteLabel }) => showWhiteLabel({ id, name }, asked.signal))
    shown.catch((error: unknown) => console.warn('white label', error))
    return () => asked.abort()
  }, [id, name])
}
