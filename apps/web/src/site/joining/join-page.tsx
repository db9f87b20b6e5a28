import type { JoinEstimate, JoinPage } from '@voisol/contract/joining'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Link, useLoaderData } from 'react-router'
import { SiteShell } from '../../app/shells/site.tsx'
import { Button, getButtonClass } from '../../components/button.tsx'
import { FieldFrame, Input, Select } from '../../components/input.tsx'
import { formatCount, formatEnergy, formatLongDate, formatMoney, formatNumber, parseNumber } from '../../lib/format.ts'
import type { FieldSpec } from '../forms/field-checks.ts'
import { SiteForm } from '../forms/site-form.tsx'
import { SiteNotFound } from '../not-found.tsx'
import { JoinShell } from './join-shell.tsx'

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

const APPLICANT_KIND_OPTIONS = [
  { value: 'person', label: 'Un particulier' },
  { value: 'organisation', label: 'Une organisation' },
]

/** What is asked before anything is signed. */
const JOIN_FIELDS: readonly FieldSpec[] = [
  { name: 'firstName', label: 'Prénom', autoComplete: 'given-name', maxLength: 200 },
  { name: 'lastName', label: 'Nom', autoComplete: 'family-name', maxLength: 200 },
  {
    name: 'email',
    label: 'Adresse e-mail',
    type: 'email',
    autoComplete: 'email',
    hint: 'Un lien y est envoyé pour continuer.',
  },
  { name: 'phone', label: 'Téléphone', type: 'tel', autoComplete: 'tel', optional: true, maxLength: 30 },
  { name: 'address', label: 'Adresse du compteur', autoComplete: 'street-address', maxLength: 200 },
  { name: 'postalCode', label: 'Code postal', autoComplete: 'postal-code', maxLength: 5 },
  { name: 'city', label: 'Commune', autoComplete: 'address-level2', maxLength: 200 },
  {
    name: 'prm',
    label: 'Numéro du compteur (PRM)',
    hint: 'Quatorze chiffres, sur votre facture ou sur le compteur.',
    maxLength: 30,
  },
  { name: 'kind', label: 'Vous êtes', type: 'select', options: APPLICANT_KIND_OPTIONS },
  {
    name: 'name',
    label: 'Nom de l’organisation',
    autoComplete: 'organization',
    optional: true,
    hint: 'Si vous n’êtes pas un particulier.',
    maxLength: 200,
  },
  { name: 'message', label: 'Un mot pour l’organisateur', type: 'textarea', optional: true, maxLength: 2000 },
]

/** As the API names them, without its schemas: a page to read stays light. */
const DWELLING_OPTIONS = [
  { value: 'household', label: 'Un logement' },
  { value: 'household-electric-heating', label: 'Un logement chauffé à l’électricité' },
  { value: 'heat-pump', label: 'Un logement avec une pompe à chaleur' },
  { value: 'ev-household', label: 'Un logement avec une voiture électrique' },
  { value: 'office', label: 'Des bureaux' },
  { value: 'shop', label: 'Un commerce' },
]
const [MIN_YEARLY_KWH, MAX_YEARLY_KWH] = [100, 200_000]

const KWH_ERROR =
  'La consommation d’une année est attendue, entre 100 et 200\u202f000\u00a0kWh, par exemple 3\u202f200.'
const PRICE_ERROR_MESSAGE = 'Un prix en centimes par kWh est attendu, par exemple 16,5.'

type EstimateRequest = { dwelling: string; yearlyKwh: number; supplierPrice?: number }

async function fetchEstimate(
  slug: string,
  { supplierPrice, dwelling, yearlyKwh }: EstimateRequest,
): Promise<JoinEstimate | string> {
  const search = new URLSearchParams({ dwelling, yearlyKwh: String(yearlyKwh) })
  if (supplierPrice) search.set('supplierPrice', String(supplierPrice))
  try {
    const response = await fetch(`/api/join/${slug}/estimate?${search}`)
    const data = await response.json()
    return response.ok ? data : String(data?.message ?? 'L’estimation n’a pas pu être faite.')
  } catch {
    return 'La connexion au serveur a échoué. Réessayez dans un instant.'
  }
}

const Assumptions = ({ lines }: { lines: string[] }) => (
  <details className="mt-4">
    <summary className="cursor-pointer font-medium">Comment ce chiffre est calculé</summary>
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-[0.9375rem] text-ink-soft">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
)

/** What is known, or that nothing is yet: never an invented figure. */
function EstimateResult({ estimate }: { estimate: JoinEstimate }) {
  if (!estimate.enough)
    return (
      <p className="font-medium">
        Pas encore assez de données&nbsp;: cette opération n’a pas un mois de mesures. L’estimation viendra avec elles.
      </p>
    )
  const { savingCents, receivedWh, consumedWh, days, assumptions } = estimate
  const share = consumedWh > 0 ? Math.round((100 * receivedWh) / consumedWh) : 0
  return (
    <>
      {savingCents !== null && (
        <p className="text-3xl font-semibold tabular-nums">
          {formatMoney(Math.abs(savingCents))} {savingCents < 0 ? 'de plus' : 'économisés'}
        </p>
      )}
      <p className="mt-1 text-lg">
        Sur les {days} derniers jours mesurés, vous auriez reçu {formatEnergy(receivedWh)} d’énergie locale, soit{' '}
        {share}
        &nbsp;% de votre consommation.
      </p>
      <Assumptions lines={assumptions} />
    </>
  )
}

/** What joining would have changed, on one's own figures. */
function JoinEstimateForm({ page }: { page: JoinPage }) {
  const [dwellingId, kwhId, priceId] = [useId(), useId(), useId()]
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<{ kwh?: string; price?: string }>({})
  const [answer, setAnswer] = useState<JoinEstimate | string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const kwh = parseNumber(String(data.get('kwh') ?? ''))
    const typed = String(data.get('price') ?? '').trim()
    const price = typed ? parseNumber(typed) : undefined
    const errors = {
      ...(!(kwh && kwh >= MIN_YEARLY_KWH && kwh <= MAX_YEARLY_KWH) && { kwh: KWH_ERROR }),
      ...(typed && !(price && price > 0 && price <= 200) && { price: PRICE_ERROR_MESSAGE }),
    }
    setFaults(errors)
    const first = Object.keys(errors)[0]
    if (first || !kwh) return void form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    setBusy(true)
    const supplier = price ? { supplierPrice: Math.round(price * 100) } : {}
    setAnswer(
      await fetchEstimate(page.slug, {
        dwelling: String(data.get('dwelling')),
        yearlyKwh: Math.round(kwh),
        ...supplier,
      }),
    )
    setBusy(false)
  }
  return (
    <div className="grid gap-6 rounded-card border border-line bg-card p-5 shadow-card sm:p-8">
      <form noValidate onSubmit={submit} className="grid gap-5 sm:grid-cols-2">
        <FieldFrame id={dwellingId} label="C’est pour">
          <Select id={dwellingId} name="dwelling" options={DWELLING_OPTIONS} />
        </FieldFrame>
        <FieldFrame
          id={kwhId}
          label="Votre consommation d’une année, en kWh"
          hint="Elle est sur votre facture d’électricité."
          {...(faults.kwh && { error: faults.kwh })}
        >
          <Input
            id={kwhId}
            name="kwh"
            inputMode="numeric"
            autoComplete="off"
            aria-invalid={faults.kwh ? true : undefined}
            aria-describedby={faults.kwh ? `${kwhId}-hint ${kwhId}-error` : `${kwhId}-hint`}
          />
        </FieldFrame>
        <FieldFrame
          id={priceId}
          label="Le prix de votre fournisseur, en centimes par kWh hors taxes"
          optional
          {...(faults.price && { error: faults.price })}
        >
          <Input
            id={priceId}
            name="price"
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={faults.price ? true : undefined}
            aria-describedby={faults.price ? `${priceId}-error` : undefined}
          />
        </FieldFrame>
        <Button type="submit" variant="secondary" size="large" loading={busy} className="self-end">
          Estimer ce que j’y gagnerais
        </Button>
      </form>
      <div role="status" className="empty:hidden">
        {answer !== null && (
          <div className="rounded-card bg-page p-5">
            {typeof answer === 'string' ? (
              <p className="text-danger">{answer}</p>
            ) : (
              <EstimateResult estimate={answer} />
            )}
          </div>
        )}
      </div>
    </div>
  )
}
