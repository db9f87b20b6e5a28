import Check from 'lucide-react/icons/check'
import { Link } from 'react-router'
import { PRODUCT } from '../lib/metadata.ts'
import { footerColumns } from '../site/menu.ts'
import { Logo } from '../ui/logo.tsx'

const badges: { name: string; note?: string }[] = [
  { name: 'ISO 27001', note: 'certification en cours' },
  { name: 'RGPD' },
  { name: 'ISO 50001' },
  { name: 'CRE' },
  { name: 'ADEME' },
  { name: 'France Relance' },
]
const claims = ['Chiffrement SSL/TLS', 'Hébergement en France', 'Sauvegarde quotidienne', 'Support 24/7']

const Presentation = () => (
  <div className="max-w-sm">
    <p className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <Logo className="size-7" />
      {PRODUCT}
    </p>
    <p className="mt-4 text-ink-soft">
      La plateforme française d’autoconsommation collective : répartir, suivre et facturer l’énergie solaire partagée
      entre voisins.
    </p>
    <ul className="mt-6 grid gap-2 text-sm text-ink-soft">
      {claims.map((claim) => (
        <li key={claim} className="flex items-center gap-2">
          <Check aria-hidden="true" className="size-4 text-success" />
          {claim}
        </li>
      ))}
    </ul>
  </div>
)

const Badges = () => (
  <ul aria-label="Référentiels et institutions" className="flex flex-wrap gap-2">
    {badges.map(({ name, note }) => (
      <li key={name} className="rounded-control border border-line px-3 py-1.5 text-sm font-medium text-ink-soft">
        {name}
        {note && <span className="font-normal"> · {note}</span>}
      </li>
    ))}
  </ul>
)

export function SiteFooter() {
  return (
    <footer data-print="hide" className="border-line border-t bg-white">
      <div className="mx-auto grid max-w-[1248px] gap-12 px-4 py-16 sm:px-6 lg:grid-cols-[1fr_2fr]">
        <Presentation />
        <nav
          aria-label="Pied de page"
          className="grid grid-cols-2 gap-x-8 gap-y-10 sm:grid-cols-[repeat(4,auto)] lg:justify-between"
        >
          {footerColumns().map(({ title, links }) => (
            <div key={title}>
              <h2 className="text-sm font-semibold tracking-normal">{title}</h2>
              <ul className="mt-3">
                {links.map(({ label, href }) => (
                  <li key={href}>
                    <Link
                      to={href}
                      className="inline-flex min-h-9 items-center text-ink-soft hover:text-ink hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="mx-auto max-w-[1248px] px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-line border-t py-6">
          <Badges />
          <p className="text-sm text-ink-soft">
            © {new Date().getFullYear()} {PRODUCT}
          </p>
        </div>
      </div>
    </footer>
  )
}
