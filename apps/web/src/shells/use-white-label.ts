import { useEffect } from 'react'
import { getPageSettings } from '../lib/settings.ts'

const importWhiteLabel = () => import('../lib/white-label.ts')
/** Asked for beside the session, so that it is there once the person is known. */
export const preloadWhiteLabel = () => void importWhiteLabel().catch(() => undefined)

/** Called by another name than the installation's own, which may be a company's. */
const isOwnHost = () => {
  const { home } = getPageSettings()
  return home !== undefined && home !== location.hostname
}

/** Without a known company nothing is asked and the product keeps its own look, but at the host of a company. */
export function useWhiteLabel(id: number | undefined, name = '') {
  useEffect(() => {
    if (id === undefined && !isOwnHost()) return
    const abortController = new AbortController()
    const shown = importWhiteLabel().then(({ showWhiteLabel, showHostWhiteLabel: showHostLabel }) =>
      id === undefined ? showHostLabel(abortController.signal) : showWhiteLabel({ id, name }, abortController.signal),
    )
    shown.catch((error: unknown) => console.warn('white label', error))
    return () => abortController.abort()
  }, [id, name])
}
