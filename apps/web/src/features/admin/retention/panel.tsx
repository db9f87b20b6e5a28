import { useQuery } from '@tanstack/react-query'
import {
  type Retention,
  type RetentionCounts,
  RetentionMonths,
  RetentionUpdate,
  retention,
} from '@voisol/contract/retention'
import {
  FIXED_RETENTION,
  formatMonths,
  RETENTION_KINDS,
  RETENTION_RULES,
  type RetentionKind,
} from '@voisol/contract/retention-kinds'
import Download from 'lucide-react/icons/download'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { download } from '../../../lib/call.ts'
import { Can, useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate, formatDateTime, formatMonth, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const FixedDurations = () => (
  <Card title="Ce que la loi ou le produit fixe" description="Ces durées ne se règlent pas.">
    <dl className="grid gap-3 text-body">
      {FIXED_RETENTION.map(({ label, time, law }) => (
        <div key={label} className="grid gap-x-8 gap-y-0.5 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <dt className="font-medium">{label}</dt>
          <dd>
            {time}
            <span className="block text-[0.8125rem] text-ink-soft">{law}</span>
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)

const RetentionRuns = ({ passes }: Pick<Retention, 'passes'>) =>
  passes.length > 0 && (
    <Card title="Comptes rendus" description="Ce que chaque passage a supprimé.">
      <ol className="grid gap-6">
        {passes.map(({ id, counts, createdAt, finishedAt }) => (
          <li key={id} className="grid gap-2">
            <h3 className="text-body font-semibold">
              {formatDateTime(createdAt)}
              {finishedAt === null && ' – en cours'}
            </h3>
            <RetentionCountsTable counts={counts} label={`Supprimé le ${formatDateTime(createdAt)}`} />
          </li>
        ))}
      </ol>
    </Card>
  )

const DecisionHistory = ({ said }: Pick<Retention, 'said'>) =>
  said.length > 0 && (
    <Card title="Ce qui a été décidé">
      <ul className="grid gap-2 text-body">
        {said.map(({ kind, months, from, by, reason }) => (
          <li key={`${kind} ${from} ${months} ${reason}`}>
            {formatDate(from)}&nbsp;: {RETENTION_RULES[kind].label}, {formatMonths(months)}
            <span className="text-ink-soft">
              {' '}
              – {by}, «&nbsp;{reason}&nbsp;»
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )

export default function RetentionPanel() {
  const can = useCan()
  const { data, error, refetch } = useQuery(query(retention.get, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <RetentionDecision data={data} />
      {can(retention.update) ? <DurationsEditor key={data.seal} data={data} /> : <DurationsFacts data={data} />}
      <DecisionHistory said={data.said} />
      <RetentionRuns passes={data.passes} />
      <FixedDurations />
      <RetentionDocuments />
    </div>
  )
}

const showFailure = (error: unknown) =>
  toast({ title: 'Document non téléchargé', description: explainError(error), variant: 'destructive' })

const DOCUMENTS = [
  { call: retention.register, label: 'Registre des traitements (PDF)' },
  { call: retention.consentPack, label: 'Dossier des accords (PDF)' },
]

const RetentionDocuments = () => (
  <Card title="Documents" description="Faits à l’instant de ce qui est réglé, connecté et accepté.">
    <div className="grid justify-items-start gap-3">
      <div className="flex flex-wrap gap-3">
        {DOCUMENTS.map(({ call, label }) => (
          <Button
            key={label}
            variant="secondary"
            icon={<Download aria-hidden="true" />}
            onClick={() => void download(call, {}).catch(showFailure)}
          >
            {label}
          </Button>
        ))}
      </div>
      <p className="text-body text-ink-soft">
        La liste nominative des accords d’une opération est dans les{' '}
        <Link to="/regulatory-exports" className="text-link">
          exports réglementaires
        </Link>
        .
      </p>
    </div>
  </Card>
)

type RetentionPreview = NonNullable<Retention['preview']>

const PreviewButton = ({ again }: { again: boolean }) => {
  const { run, isPending } = useAction(retention.preview, [retention.get])
  return (
    <Button variant={again ? 'quiet' : 'primary'} loading={isPending} onClick={() => void run({})}>
      {again ? 'Compter à nouveau' : 'Voir ce qui serait supprimé'}
    </Button>
  )
}

const AcceptButton = ({ preview, seal }: { preview: RetentionPreview; seal: string }) => {
  const { run } = useAction(retention.confirm, [retention.get])
  const accept = async () => {
    await run({ body: { id: preview.id, seal } })
    toast({ title: 'Suppressions acceptées', description: 'La première commence à l’instant.', variant: 'success' })
  }
  return (
    <Confirm
      title="Accepter ces suppressions&nbsp;?"
      description="Elles commencent maintenant et se refont chaque nuit, jusqu’à ce qu’une durée change. Ce qui est supprimé ne revient pas."
      action="Accepter les suppressions"
      onConfirm={accept}
      trigger={<Button variant="danger">Accepter les suppressions</Button>}
    />
  )
}

/** What the durations remove is shown before the first time; the yes holds until one of them changes. */
function RetentionDecision({ data: { preview, confirmed, seal } }: { data: Retention }) {
  return (
    <Card
      title="Ce qui serait supprimé"
      description="Rien n’est supprimé avant que quelqu’un l’ait vu et accepté, une fois à chaque changement de durée."
    >
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-3 text-body">
          {confirmed ? <Badge tone="success">Acceptées</Badge> : <Badge tone="warning">À accepter</Badge>}
          <span className="text-ink-soft">
            {preview?.confirmedAt
              ? `Par ${preview.confirmedBy}, le ${formatDateTime(preview.confirmedAt)}.`
              : preview
                ? `Compté le ${formatDateTime(preview.createdAt)}.`
                : 'Ces durées n’ont pas encore été regardées.'}
          </span>
        </p>
        {preview && !preview.confirmedAt && (
          <RetentionCountsTable counts={preview.counts} label="Ce qui serait supprimé" />
        )}
        <Can call={retention.preview}>
          <div className="flex flex-wrap gap-3">
            {preview && !confirmed && <AcceptButton preview={preview} seal={seal} />}
            <PreviewButton again={preview !== null} />
          </div>
        </Can>
      </div>
    </Card>
  )
}

/** What the law says of a kind, why not less, and what is left of it. */
const LegalBasis = ({ kind }: { kind: RetentionKind }) => {
  const { law, bound, remains, since } = RETENTION_RULES[kind]
  return (
    <div className="grid content-start gap-1 text-[0.8125rem] text-ink-soft">
      <p>Compté depuis {since}.</p>
      <p>{law}.</p>
      <p>{bound}</p>
      <p>
        <span className="font-medium text-ink">Il en reste&nbsp;: </span>
        {remains}
      </p>
    </div>
  )
}

function DurationsEditor({ data }: { data: Retention }) {
  const update = useAction(retention.update, [retention.get])
  const form = useSchemaForm(DurationsForm, {
    defaults: {
      // Every kind has its months.
      months: Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, String(data.months[kind])])) as Record<
        RetentionKind,
        string
      >,
      reason: '',
      seal: data.seal,
    },
    save: async (body) => {
      await update.run({ body })
      toast({
        title: 'Durées enregistrées',
        description: 'Regardez ce qu’elles suppriment avant de l’accepter.',
        variant: 'success',
      })
    },
  })
  return (
    <Card title="Durées de conservation" description="Chacune dans les bornes de la loi, qui est dite à côté.">
      <form onSubmit={form.submit} noValidate className="grid gap-6">
        <FormErrors form={form} />
        {RETENTION_KINDS.map((kind) => (
          <div key={kind} className="grid gap-x-8 gap-y-2 border-b border-line pb-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
            <Field form={form} name={`months.${kind}`} label={RETENTION_RULES[kind].label}>
              {(control) => <Select {...control} options={buildDurationOptions(kind, data.months[kind] ?? 0)} />}
            </Field>
            <LegalBasis kind={kind} />
          </div>
        ))}
        <div className="grid max-w-2xl gap-4">
          <Field form={form} name="reason" label="Raison du changement" hint="Elle reste au dossier avec la date." />
          <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
            Enregistrer les durées
          </Button>
        </div>
      </form>
    </Card>
  )
}

const DurationsFacts = ({ data }: { data: Retention }) => (
  <Card title="Durées de conservation">
    <dl className="grid gap-5">
      {RETENTION_KINDS.map((kind) => (
        <div key={kind} className="grid gap-x-8 gap-y-1 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <dt className="font-medium">
            {RETENTION_RULES[kind].label}&nbsp;: {formatMonths(data.months[kind] ?? 0)}
          </dt>
          <dd>
            <LegalBasis kind={kind} />
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)

/** A list gives texts; the contract wants months. */
const buildMonthsField = (kind: RetentionKind) => z.string().transform(Number).pipe(RetentionMonths.shape[kind])

const DurationsForm = RetentionUpdate.extend({
  months: z.strictObject(
    // Each key of the table has its own bounds.
    Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, buildMonthsField(kind)])) as Record<
      RetentionKind,
      ReturnType<typeof buildMonthsField>
    >,
  ),
})

/** Round lengths of time within the bounds, the bounds themselves, and the one that holds. */
function buildDurationOptions(kind: RetentionKind, current: number): { value: string; label: string }[] {
  const { least: min, most: max, months } = RETENTION_RULES[kind]
  const roundDurations = [1, 3, 6, 9, 12, 15, 18, 24, 30, 36, 48, 60, 84, 120].filter((one) => one > min && one < max)
  return [...new Set([min, ...roundDurations, current, max])]
    .toSorted((a, b) => a - b)
    .map((value) => ({
      value: String(value),
      label: value === months ? `${formatMonths(value)} (recommandé)` : formatMonths(value),
    }))
}

/** « de mars 2024 à avril 2024 ». */
function formatMonthSpan(months: Record<string, number>) {
  const all = Object.keys(months).toSorted()
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return ''
  return first === last ? formatMonth(`${first}-15`) : `de ${formatMonth(`${first}-15`)} à ${formatMonth(`${last}-15`)}`
}

const UNIT_LABELS: Record<keyof typeof RETENTION_RULES, string> = {
  curves: 'jours de compteur',
  imports: 'fichiers',
  consents: 'accords',
  tickets: 'demandes',
  notifications: 'notifications',
  audit: 'actes',
}

/** How many of each kind, and of which months. */
function RetentionCountsTable({ counts, label }: { counts: RetentionCounts; label: string }) {
  const nonEmptyKinds = RETENTION_KINDS.flatMap((kind) => {
    const kindCount = counts[kind]
    return kindCount && kindCount.count > 0 ? [{ kind, ...kindCount }] : []
  })
  if (!nonEmptyKinds.length) return <p className="text-body text-ink-soft">Rien n’a dépassé sa durée.</p>
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-body" aria-label={label}>
        <thead>
          <tr className="border-b border-line text-left text-[0.8125rem] text-ink-soft">
            <th scope="col" className="py-2 pr-4 font-medium">
              Données
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Nombre
            </th>
            <th scope="col" className="py-2 font-medium">
              Période
            </th>
          </tr>
        </thead>
        <tbody>
          {nonEmptyKinds.map(({ kind, count, months }) => (
            <tr key={kind} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 pr-4 text-left font-normal">
                {RETENTION_RULES[kind].label}
              </th>
              <td className="tabular py-2.5 pr-4 text-right whitespace-nowrap">
                {formatNumber(count)} {UNIT_LABELS[kind]}
              </td>
              <td className="py-2.5">{formatMonthSpan(months)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
