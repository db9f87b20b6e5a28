import { PRODUCT_NAME } from '../lib/metadata.ts'
import { Logo } from '../ui/logo.tsx'

/** A page whose text could not be read: it is told apart from a page that does not exist. */
export function PageUnavailable({ path }: { path: string }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-white px-4 text-ink">
      <div className="max-w-lg text-center">
        <Logo className="mx-auto size-14" />
        <h1 className="mt-6 text-3xl font-semibold">Cette page revient dans un instant</h1>
        <p className="mt-4 text-lg text-ink-soft">
          Le texte de cette page ne peut pas être lu pour le moment. Rien n’est perdu&nbsp;: réessayez dans quelques
          secondes.
        </p>
        <p className="mt-8 flex flex-wrap justify-center gap-x-6 gap-y-2">
          <a className="font-medium text-primary-ink underline" href={path}>
            Réessayer
          </a>
          <a className="font-medium text-primary-ink underline" href="/">
            Accueil de {PRODUCT_NAME}
          </a>
        </p>
      </div>
    </main>
  )
}
