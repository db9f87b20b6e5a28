import type { JoinPage } from '@voisol/contract/joining'
import type { ReactNode } from 'react'
import { Link, useLoaderData } from 'react-router'
import { energy, longDate, number, plural } from '../../lib/format.ts'
import { SiteShell } from '../../shells/site.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { SiteForm } from '../forms/site-form.tsx'
import { NotFound } from '../not-found.tsx'
import { Estimate } from './estimate.tsx'
import { FIELDS } from './form.ts'
import { JoinShell } from './shell.tsx'

const Band = ({ id, title, children }: { id?: string; title: string; children: ReactNode }) => (
  <section id={id} className="scroll-mt-6 border-t border-line">
    <div className="mx-auto max-w-[1040px] px-4 py-12 sm:px-6 lg:py-16">
      <h2 className="mb-5 text-2xl font-semibold tracking-[-0.02em] sm:text-3xl">{title}</h2>
      {children}
    </div>
  </section>
)

const Fact = ({ label, value }: { label: string; value: ReactNode }) => (
  <div className="grid content-start gap-1 border-l-2 border-[#F59E0B] pl-4">
    <dt className="text-[0.9375rem] text-ink-soft">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
)

const price = (stored: number) => `${number(stored / 100, 2)}\u00a0c€/kWh`

const Facts = ({ page }: { page: JoinPage }) => (
  <dl className="mt-8 grid gap-5 sm:grid-cols-3">
    <Fact
      label="Prix de l’énergie locale, hors taxes"
      value={page.price === null ? 'Selon le participant' : price(page.price)}
    />
    <Fact label="Première entrée possible" value={longDate(page.firstOn)} />
    <Fact label="Pour partir" value={`${plural(page.noticeDays, 'jour')} de préavis`} />
  </dl>
)

const Hero = ({ page }: { page: JoinPage }) => (
  <header className="bg-page">
    <div className="mx-auto max-w-[1040px] px-4 py-12 sm:px-6 lg:py-20">
      <p className="mb-3 text-[0.9375rem] font-medium text-ink-soft">
        Énergie solaire partagée{page.operation.city && ` à ${page.operation.city}`}
      </p>
      <h1 className="text-4xl font-semibold leading-[1.08] text-balance break-words outline-none sm:text-5xl">
        Rejoindre {page.operation.name}
      </h1>
      <p className="prose-width mt-5 text-lg leading-relaxed whitespace-pre-line text-ink-soft">{page.presentation}</p>
      <Facts page={page} />
      <p className="mt-8 flex flex-wrap gap-3">
        <a href="#demande" className={buttonClass({ size: 'large' })}>
          Demander à rejoindre
        </a>
        <a href="#estimation" className={buttonClass({ size: 'large', variant: 'secondary' })}>
          Estimer ce que j’y gagnerais
        </a>
      </p>
    </div>
  </header>
)

const producersOf = ({ named, others }: JoinPage['producers']) => [
  ...named,
  ...(others ? [plural(others, 'particulier')] : []),
]

function Sharing({ page }: { page: JoinPage }) {
  const producers = producersOf(page.producers)
  const { consumers, year } = page
  return (
    <div className="grid gap-4 text-lg leading-relaxed">
      <p>
        {producers.length
          ? `L’énergie est produite par ${new Intl.ListFormat('fr').format(producers)}.`
          : 'Les producteurs seront annoncés avant le début du partage.'}{' '}
        {consumers === null
          ? 'Les participants sont encore trop peu nombreux pour être comptés ici.'
          : `${plural(consumers, 'participant')} la consomment.`}
      </p>
      {year && (
        <p>
          Sur les douze derniers mois, {energy(year.shared)} ont été partagés
          {year.produced !== null && `, sur ${energy(year.produced)} produits`}.
        </p>
      )}
      <p className="text-[0.9375rem] text-ink-soft">
        Périmètre&nbsp;: {page.operation.perimeter}. Seules des sommes sont publiées, jamais les chiffres d’une
        personne.
      </p>
    </div>
  )
}

const Terms = ({ page }: { page: JoinPage }) => (
  <div className="grid gap-5">
    {page.conditions && <p className="prose-width text-lg leading-relaxed whitespace-pre-line">{page.conditions}</p>}
    <details className="rounded-card border border-line bg-card p-5">
      <summary className="cursor-pointer font-medium">
        Lire l’accord de participation (version {page.agreement.version})
      </summary>
      <p className="prose-width mt-4 whitespace-pre-line">{page.agreement.text}</p>
    </details>
  </div>
)

const PRESET = { kind: 'person' }

const Asking = ({ page }: { page: JoinPage }) => (
  <div className="rounded-card border border-line bg-card p-5 shadow-card sm:p-8">
    <SiteForm
      path={`/api/join/${page.slug}/applications`}
      fields={FIELDS}
      preset={PRESET}
      action="Envoyer ma demande"
      note={
        <>
          Rien n’est signé ici. Ces informations servent à étudier votre demande&nbsp;:{' '}
          <Link to="/rgpd" className="text-link">
            vos données personnelles
          </Link>
          .
        </>
      }
    />
  </div>
)

/** What it is, who shares, what one would gain, and how to ask. */
export default function JoinPageScreen() {
  const page = useLoaderData() as JoinPage | null // the row names the endpoint
  if (!page)
    return (
      <SiteShell>
        <NotFound />
      </SiteShell>
    )
  return (
    <JoinShell organiser={page.organiser}>
      <Hero page={page} />
      <Band title="Qui partage">
        <Sharing page={page} />
      </Band>
      <Band id="estimation" title="Ce que vous y gagneriez">
        <Estimate page={page} />
      </Band>
      <Band title="À quelles conditions">
        <Terms page={page} />
      </Band>
      <Band id="demande" title="Demander à rejoindre">
        <Asking page={page} />
      </Band>
    </JoinShell>
  )
}
