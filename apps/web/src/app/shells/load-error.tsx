import { type ComponentType, useEffect, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'

type RouteModule = { Component: ComponentType }

/** In place of a part of the program that did not come; it is asked for again each time it is shown. */
const createLoadErrorComponent = (load: () => Promise<RouteModule>) =>
  function Unloaded() {
    const [part, setPart] = useState<RouteModule>()
    useEffect(() => void load().then(setPart, () => undefined), [])
    // A server that answers and has not this part any more holds another version: the page is fetched anew. Without an
    // answer a reload would take the page away.
    const retry = () => load().then(setPart, () => fetch('/healthz').then(({ ok }) => ok && location.reload()))
    if (part) return <part.Component />
    return (
      <>
        <h1 className="sr-only">Erreur</h1>
        <ErrorState
          title="Cet écran n’a pas pu s’afficher"
          advice="Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez."
          onRetry={retry}
        />
      </>
    )
  }

/** For `lazy` of a route: the router shows nothing at all, not even its shell, where that fails. */
export const withLoadFallback = (load: () => Promise<RouteModule>) => () =>
  load().catch((error: unknown): RouteModule => {
    if (typeof document === 'undefined') throw error
    return { Component: createLoadErrorComponent(load) }
  })

/** A server that answers holds another version of the program: the page is fetched anew. Without an answer a reload would take the page away. */
const reloadIfServerAnswers = () => fetch('/healthz').then(({ ok }) => ok && location.reload())

/** In place of everything: the part of the program that knows the address did not come. */
export function LoadErrorPage() {
  return (
    <main className="p-6">
      <h1 className="sr-only">Erreur</h1>
      <ErrorState
        title="Cet écran n’a pas pu s’afficher"
        advice="Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez."
        onRetry={reloadIfServerAnswers}
      />
    </main>
  )
}
