import { useLocation } from 'react-router'
import { ActionButtons, type LinkAction, MoreLink } from './blocks/section.tsx'
import { Unplugged } from './illustrations/small-scenes.tsx'

const suggestedLinks: LinkAction[] = [
  { label: 'La plateforme', href: '/platform' },
  { label: 'Les solutions', href: '/solutions' },
  { label: 'L’expertise', href: '/expertise' },
  { label: 'L’état du service', href: '/status' },
]

/** Any unknown path. */
export function SiteNotFound() {
  const { pathname } = useLocation()
  return (
    <section className="bg-page">
      <div className="mx-auto grid max-w-[1248px] items-center gap-12 px-4 py-16 sm:px-6 lg:min-h-[560px] lg:grid-cols-2">
        <div className="max-w-xl">
          <p className="mb-4 text-[0.9375rem] font-medium text-ink-soft">Page introuvable · erreur 404</p>
          <h1 className="text-4xl font-semibold leading-tight outline-none sm:text-5xl">
            Cette adresse n’est raccordée à rien
          </h1>
          <p className="mt-6 text-lg leading-relaxed text-ink-soft">
            Il n’y a pas de page à l’adresse <span className="font-medium break-all text-ink">{pathname}</span>. Elle a
            pu changer de nom, ou le lien était incomplet.
          </p>
          <div className="mt-8">
            <ActionButtons
              actions={[
                { label: 'Revenir à l’accueil', href: '/' },
                { label: 'Se connecter', href: '/login' },
              ]}
            />
          </div>
          <ul aria-label="Autres pages" className="mt-8 flex flex-wrap gap-x-8 gap-y-2">
            {suggestedLinks.map((action) => (
              <li key={action.href}>
                <MoreLink {...action} />
              </li>
            ))}
          </ul>
        </div>
        <Unplugged className="mx-auto w-full max-w-[560px]" />
      </div>
    </section>
  )
}
