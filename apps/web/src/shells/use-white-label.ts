import { useEffect } from 'react'
import { settings } from '../lib/settings.ts'

const load = () => import('../lib/white-label.ts')
/** Asked for beside the session, so that it is there once the person is known. */
export const prepareWhiteLabel = () => void load().catch(() => undefined)

/** Called by another name than the installation's own, which may be a company's. */
const isOwnHost = () => {
  const { home } = settings()
  return home !== undefined && home !== location.hostname
}

/** Without a known company nothing is asked and the product keeps its own look, but at the host of a company. */
export function useWhiteLabel(id: number | undefined, name = '') {
  useEffect(() => {
    if (id === undefined && !isOwnHost()) return
    const asked = new AbortController()
    const shown = load().then(({ showWhiteLabel, showHostLabel }) =>
      id === undefined ? showHostLabel(asked.signal) : showWhiteLabel({ id, name }, asked.signal),
    )
    shown.catch((error: unknown) => console.warn('white label', error))
    return () => asked.abort()
  }, [id, name])
}
