import { ErrorState } from '../ui/error-state.tsx'

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
