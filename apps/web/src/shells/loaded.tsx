import { type ComponentType, useEffect, useState } from 'react'
import { ErrorState } from '../ui/error-state.tsx'

type Part = { Component: ComponentType }

/** In place of a part of the program that did not come; it is asked for again each time it is shown. */
const unloaded = (load: () => Promise<Part>) =>
  function Unloaded() {
    const [part, setPart] = useState<Part>()
    useEffect(() => void load().then(setPart, () => undefined), [])
    if (part) return <part.Component />
    return (
      <ErrorState
        title="Cet écran n’a pas pu s’afficher"
        advice="Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez."
        onRetry={() => location.reload()}
      />
    )
  }

/** For `lazy` of a route: the router shows nothing at all, not even its shell, where that fails. */
export const loaded = (load: () => Promise<Part>) => () =>
  load().catch((error: unknown): Part => {
    if (typeof document === 'undefined') throw error
    return { Component: unloaded(load) }
  })
