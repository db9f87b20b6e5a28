import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'
import { buildThemeVariables } from '../../components/theme.ts'

type Organiser = { name: string; logo?: string; colour?: string; email?: string; phone?: string }

const buildTheme = (colour: string | undefined) =>
  buildThemeVariables({ primaryColor: colour ?? null }) as CSSProperties // CSS variables

const Contact = ({ email, phone }: Organiser) => (
  <p>
    Une question&nbsp;?{' '}
    {email && (
      <a href={`mailto:${email}`} className="text-link">
        {email}
      </a>
    )}
    {email && phone && ' · '}
    {phone}
  </p>
)

/** The organiser's page: their name, their colour and their logo, whichever the host. */
export const JoinShell = ({ organiser, children }: { organiser: Organiser; children: ReactNode }) => (
  <div
    data-density="comfortable"
    style={buildTheme(organiser.colour)}
    className="flex min-h-dvh flex-col bg-white text-body text-ink"
  >
    <header className="border-b border-line bg-card">
      <div className="mx-auto flex min-h-16 max-w-[1040px] items-center gap-3 px-4 py-3 sm:px-6">
        {organiser.logo && <img src={organiser.logo} alt="" className="h-9 max-w-40 object-contain" />}
        <p className="min-w-0 text-lg font-semibold break-words">
          <bdi>{organiser.name}</bdi>
        </p>
      </div>
    </header>
    <main id="contenu" className="flex-1 outline-none">
      {children}
    </main>
    <footer className="border-t border-line bg-page">
      <div className="mx-auto grid max-w-[1040px] gap-2 px-4 py-8 text-[0.9375rem] text-ink-soft sm:px-6">
        {(organiser.email || organiser.phone) && <Contact {...organiser} />}
        <p className="flex flex-wrap gap-x-5 gap-y-2">
          <Link to="/rgpd" className="text-link">
            Données personnelles
          </Link>
          <Link to="/accessibilite" className="text-link">
            Accessibilité
          </Link>
        </p>
      </div>
    </footer>
  </div>
)
