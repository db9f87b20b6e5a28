import { useQuery } from '@tanstack/react-query'
import { type EnedisCall, type EnedisFault, enedis } from '@voisol/contract/enedis'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips, SearchBox } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { FAULT_NATURE_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { CallGroup, findFaults, groupCallsByInterface } from './docs/call-group.tsx'

const TableOfContents = ({ calls }: { calls: EnedisCall[] }) => (
  <nav aria-label="Sur cette page" data-print="hide" className="text-body lg:sticky lg:top-20 lg:self-start">
    <ul className="grid gap-1 border-line lg:border-l lg:pl-4">
      <li>
        <a href="#regles" className="inline-flex min-h-7 items-center text-ink-soft hover:text-ink">
          Quotas et dates
        </a>
      </li>
      {groupCallsByInterface(calls).map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`} className="inline-flex min-h-7 items-center text-ink-soft hover:text-ink">
            {title}
          </a>
        </li>
      ))}
      <li>
        <a href="#codes" className="inline-flex min-h-7 items-center text-ink-soft hover:text-ink">
          Codes d’erreur
        </a>
      </li>
    </ul>
  </nav>
)

/** What Voisol asks of the distributor, how, and what its refusals mean. */
export default function EnedisDocs() {
  const { data, error, refetch } = useQuery(query(enedis.calls, {}))
  return (
    <>
      <PageHeader
        title="Documentation Enedis"
        description="Les appels que Voisol fait au distributeur, leurs limites, et ce que veulent dire ses refus."
        actions={
          <ButtonLink variant="secondary" to="/enedis-test" icon={<FlaskConical aria-hidden="true" />}>
            Tester un appel
          </ButtonLink>
        }
      />
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div className="grid gap-8 lg:grid-cols-[13rem_minmax(0,1fr)] [&>*]:min-w-0">
          <TableOfContents calls={data.calls} />
          <div className="grid gap-8 [&>*]:min-w-0">
            <CallRules />
            {groupCallsByInterface(data.calls).map((group) => (
              <CallGroup key={group.id} group={group} />
            ))}
            <FaultTable faults={data.faults} />
          </div>
        </div>
      )}
    </>
  )
}

const RULES: [string, string][] = [
  [
    'Quotas',
    'Cinq appels par seconde et 10\u202f000 par heure, pour chaque identifiant. Voisol les compte et attend de lui-même\u00a0; au-delà, le distributeur refuse et dit quand reprendre.',
  ],
  [
    'Heure des données',
    'La veille est disponible à partir de 8\u00a0h, heure de Paris. Un compteur en retard apparaît le lendemain, parfois plus tard\u00a0: ce qui manque est redemandé.',
  ],
  [
    'Durée d’un appel',
    'Une courbe de charge se demande par sept jours au plus, des énergies quotidiennes par 365 jours. Voisol découpe les longues périodes.',
  ],
  ['Profondeur', 'Les courbes remontent à 24 mois et 15 jours, les énergies quotidiennes à 36 mois et 15 jours.'],
  [
    'Dates',
    'Des jours de Paris, le dernier exclu. Chaque mesure porte la fin de son pas\u00a0; l’interface des conventions écrit ses dates en temps universel.',
  ],
  ['Jeton', 'Un jeton d’accès vaut trois heures et demie\u00a0; il est renouvelé sans intervention.'],
]

/** What holds for every call. */
const CallRules = () => (
  <section id="regles" className="scroll-mt-20">
    <Card title="Quotas et dates" description="Ce qui vaut pour tous les appels.">
      <dl className="grid gap-x-8 gap-y-5 text-body md:grid-cols-2">
        {RULES.map(([title, words]) => (
          <div key={title}>
            <dt className="font-medium">{title}</dt>
            <dd className="mt-0.5 text-ink-soft">{words}</dd>
          </div>
        ))}
      </dl>
    </Card>
  </section>
)

type FaultRow = EnedisFault & { id: string }

const columns: Column<FaultRow>[] = [
  {
    header: 'Code',
    cell: ({ code, status }) => (
      <span className="block min-w-32">
        <code className="font-medium break-words">{code}</code>
        {status !== null && <span className="block text-[0.8125rem] text-ink-soft">HTTP&nbsp;{status}</span>}
      </span>
    ),
  },
  {
    header: 'Nature',
    cell: ({ nature }) => <Badge tone={FAULT_NATURE_LABELS[nature].tone}>{FAULT_NATURE_LABELS[nature].label}</Badge>,
  },
  { header: 'Ce que cela veut dire', cell: ({ explanation }) => <span className="block min-w-56">{explanation}</span> },
  { header: 'Que faire', cell: ({ remedy }) => <span className="block min-w-56 text-ink-soft">{remedy}</span> },
]

/** The distributor's codes in plain French. */
function FaultTable({ faults }: { faults: EnedisFault[] }) {
  const [search, setSearch] = useState('')
  const [nature, setNature] = useState<string>()
  const matchingFaults = findFaults(faults, search, nature)
  const natures = new Set<string>(faults.map((fault) => fault.nature))
  return (
    <section id="codes" className="grid scroll-mt-20 gap-3 [&>*]:min-w-0">
      <h2 className="text-lg font-semibold">Codes d’erreur</h2>
      <div data-print="hide" className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Rechercher un code ou un mot"
          value={search}
          onSearch={setSearch}
          className="w-full sm:w-72"
        />
        <FilterChips
          label="Nature"
          options={toChoices(FAULT_NATURE_LABELS).filter(({ value }) => natures.has(value))}
          value={nature}
          onChange={setNature}
        />
      </div>
      <p role="status" className="text-[0.8125rem] text-ink-soft">
        {matchingFaults.length === 0
          ? 'Aucun code ne correspond\u00a0: essayez un autre mot.'
          : formatCount(matchingFaults.length, 'code connu', 'codes connus')}
      </p>
      {matchingFaults.length > 0 && (
        <Table
          label="Codes d’erreur"
          rows={matchingFaults.map((fault) => ({ ...fault, id: fault.code }))}
          columns={columns}
        />
      )}
    </section>
  )
}
