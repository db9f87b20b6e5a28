import type { JoinPage } from '@voisol/contract/joining'
import type { ReactNode } from 'react'
import { Link, useLoaderData } from 'react-router'
import { formatCount, formatEnergy, formatLongDate, formatNumber } from '../../lib/format.ts'
import { SiteShell } from '../../shells/site.tsx'
import { getButtonClass } from '../../ui/button.tsx'
import { SiteForm } from '../forms/site-form.tsx'
import { SiteNotFound } from '../not-found.tsx'
import { JoinEstimateForm } from './estimate.tsx'
import { JOIN_FIELDS } from './form.ts'
import { JoinShell } from './shell.tsx'

const JoinSection = ({ id, title, children }: { id?: string; title: string; children: ReactNode }) => (
  <section id={id} className="scroll-mt-6 border-t border-line">
    <div className="mx-auto max-w-[1040px] px-4 py-12 sm:px-6 lg:py-16">
      <h2 className="mb-5 text-2xl font-semibold tracking-[-0.02em] sm:text-3xl">{title}</h2>
      {children}
    </div>
  </section>
)

const JoinFact = ({ label, value }: { label: string; value: ReactNode }) => (
  <div className="grid content-start gap-1 border-l-2 border-[#F59E0B] pl-4">
    <dt className="text-[0.9375rem] text-ink-soft">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
)

const formatPrice = (stored: number) => `${formatNumber(stored / 100, 2)}\u00a0c€/kWh`

const JoinFacts = ({ page }: { page: JoinPage }) => (
  <dl className="mt-8 grid gap-5 sm:grid-cols-3">
    <JoinFact
      label="Prix de l’énergie locale, hors taxes"
      value={page.price === null ? 'Selon le participant' : formatPrice(page.price)}
    />
    <JoinFact label="Première entrée possible" value={formatLongDate(page.firstOn)} />
    <JoinFact label="Pour partir" value={`${formatCount(page.noticeDays, 'jour')} de préavis`} />
  </dl>
)

const JoinHero = ({ page }: { page: JoinPage }) => (
  <header className="bg-page">
    <div className="mx-auto max-w-[1040px] px-4 py-12 sm:px-6 lg:py-20">
      <p className="mb-3 text-[0.9375rem] font-medium text-ink-soft">
        Énergie solaire partagée{page.operation.city && ` à ${page.operation.city}`}
      </p>
      <h1 className="text-4xl font-semibold leading-[1.08] text-balance break-words outline-none sm:text-5xl">
        Rejoindre {page.operation.name}
      </h1>
      <p className="prose-width mt-5 text-lg leading-relaxed whitespace-pre-line text-ink-soft">{page.presentation}</p>
      <JoinFacts page={page} />
      <p className="mt-8 flex flex-wrap gap-3">
        <a href="#demande" className={getButtonClass({ size: 'large' })}>
          Demander à rejoindre
        </a>
        <a href="#estimation" className={getButtonClass({ size: 'large', variant: 'secondary' })}>
          Estimer ce que j’y gagnerais
        </a>
      </p>
    </div>
  </header>
)

const listProducers = ({ named, others }: JoinPage['producers']) => [
  ...named,
  ...(others ? [formatCount(others, 'particulier')] : []),
]

function Sharing({ page }: { page: JoinPage }) {
  const producers = listProducers(page.producers)
  const { consumers, year } = page
  return (
    <div className="grid gap-4 text-lg leading-relaxed">
      <p>
        {producers.length
          ? `L’énergie est produite par ${new Intl.ListFormat('fr').format(producers)}.`
          : 'Les producteurs seront annoncés avant le début du partage.'}{' '}
        {consumers === null
          ? 'Les participants sont encore trop peu nombreux pour être comptés ici.'
          : `${formatCount(consumers, 'participant')} la consomment.`}
      </p>
      {year && (
        <p>
          Sur les douze derniers mois, {formatEnergy(year.shared)} ont été partagés
          {year.produced !== null && `, sur ${formatEnergy(year.produced)} produits`}.
        </p>
      )}
      <p className="text-[0.9375rem] text-ink-soft">
        Périmètre&nbsp;: {page.operation.perimeter}. Seules des sommes sont publiées, jamais les chiffres d’une
        personne.
      </p>
    </div>
  )
}

const JoinTerms = ({ page }: { page: JoinPage }) => (
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

const DEFAULT_VALUES = { kind: 'person' }

const JoinRequestForm = ({ page }: { page: JoinPage }) => (
  <div className="rounded-card border border-line bg-card p-5 shadow-card sm:p-8">
    <SiteForm
      path={`/api/join/${page.slug}/applications`}
      fields={JOIN_FIELDS}
      preset={DEFAULT_VALUES}
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
        <SiteNotFound />
      </SiteShell>
    )
  return (
    <JoinShell organiser={page.organiser}>
      <JoinHero page={page} />
      <JoinSection title="Qui partage">
        <Sharing page={page} />
      </JoinSection>
      <JoinSection id="estimation" title="Ce que vous y gagneriez">
        <JoinEstimateForm page={page} />
      </JoinSection>
      <JoinSection title="À quelles conditions">
        <JoinTerms page={page} />
      </JoinSection>
      <JoinSection id="demande" title="Demander à rejoindre">
        <JoinRequestForm page={page} />
      </JoinSection>
    </JoinShell>
  )
}
