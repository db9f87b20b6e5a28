import { useQuery } from '@tanstack/react-query'
import type { ApplicationKind, ApplicationState } from '@voisol/contract/joining-labels'
import { APPLICATION_KIND_LABELS, APPLICATION_STATE_LABELS } from '@voisol/contract/joining-labels'
import { type Application, type ApplicationDetail, joiningDesk } from '@voisol/contract/joining-management'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { FactList } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Textarea } from '../../../components/input.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { Can } from '../../../lib/can.tsx'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { APPLICATION_STATE_TONES } from './labels.ts'

const OPEN_PARAM = 'demande'

const columns: Column<Application>[] = [
  { header: 'Reçue le', card: 'primary', sort: 'createdAt', cell: (one) => formatDate(one.createdAt) },
  {
    header: 'Qui',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{one.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{one.email}</span>
      </span>
    ),
  },
  { header: 'Nature', card: 'primary', cell: ({ kind }) => APPLICATION_KIND_LABELS[kind] },
  {
    header: 'Opération et point',
    card: 'secondary',
    sort: 'operation',
    cell: (one) => (
      <span className="block min-w-40">
        {one.operation}
        <span className="tabular block text-[0.8125rem] text-ink-soft">{formatPrm(one.prm)}</span>
      </span>
    ),
  },
  {
    header: 'Effet',
    card: 'primary',
    cell: ({ effectiveOn, wantedOn }) =>
      effectiveOn ? formatDate(effectiveOn) : wantedOn ? `${formatDate(wantedOn)}, demandé` : '–',
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={APPLICATION_STATE_TONES[state]}>{APPLICATION_STATE_LABELS[state]}</Badge>,
  },
]

const applicationStateOptions = Object.entries(APPLICATION_STATE_LABELS).map(([value, label]) => ({
  value: value as ApplicationState, // entries() forgets the key type
  label,
}))

const applicationKindOptions = Object.entries(APPLICATION_KIND_LABELS).map(([value, label]) => ({
  value: value as ApplicationKind, // entries() forgets the key type
  label,
}))

/** Who asks to come in or to leave: what waits for a decision first. */
export default function ApplicationList() {
  const list = useList(joiningDesk.list)
  const [search, setSearch] = useSearchParams()
  const openId = search.get(OPEN_PARAM)
  const openApplication = (id: string | null) =>
    setSearch(
      (old) => {
        if (id) old.set(OPEN_PARAM, id)
        else old.delete(OPEN_PARAM)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Entrées et départs"
        description="Les demandes reçues par les pages «&nbsp;Rejoindre&nbsp;» et par l’espace des participants, signées par eux."
      />
      <ListScreen
        list={list}
        label="Demandes"
        search="Rechercher un nom, une adresse, un PRM"
        columns={columns}
        filters={
          <>
            <FilterChips
              label="Nature"
              options={applicationKindOptions}
              value={list.filters.kind}
              onChange={(kind) => list.setFilters({ kind })}
            />
            <FilterChips
              label="État"
              options={applicationStateOptions}
              value={list.filters.state}
              onChange={(state) => list.setFilters({ state })}
            />
          </>
        }
        rowActions={({ id, name }) => (
          <Button
            variant="quiet"
            size="small"
            aria-label={`Ouvrir la demande de ${name}`}
            onClick={() => openApplication(id)}
          >
            Ouvrir
          </Button>
        )}
        empty={
          <EmptyState
            title="Aucune demande"
            why="Ouvrez la page «&nbsp;Rejoindre&nbsp;» d’une opération, depuis ses participants&nbsp;: les demandes arrivent ici."
            action={
              <ButtonLink variant="secondary" to="/acc-operations">
                Voir les opérations
              </ButtonLink>
            }
          />
        }
      />
      {openId && <ApplicationDialog id={openId} onClose={() => openApplication(null)} />}
    </>
  )
}

const CONSENT_LABELS = { collection: 'mesures', analysis: 'analyse', comparison: 'comparaison', advice: 'conseils' }

const toFacts = (one: ApplicationDetail) =>
  [
    { label: 'Demande', value: `${APPLICATION_KIND_LABELS[one.kind]}, ${one.operation}` },
    { label: 'État', value: APPLICATION_STATE_LABELS[one.state] },
    { label: 'Point (PRM)', value: formatPrm(one.prm) },
    { label: 'Adresse', value: [one.address, `${one.postalCode} ${one.city}`.trim()].filter(Boolean).join(', ') },
    { label: 'E-mail', value: one.email },
    { label: 'Téléphone', value: one.phone },
    { label: 'SIREN', value: one.siren },
    { label: 'Accords donnés', value: one.consents.map(({ purpose }) => CONSENT_LABELS[purpose]).join(', ') },
    { label: 'Départ demandé le', value: one.wantedOn && formatDate(one.wantedOn) },
    { label: 'Nouvelle adresse', value: one.newAddress },
    { label: 'Qui suit', value: [one.successorName, one.successorEmail].filter(Boolean).join(', ') },
    { label: 'Prend effet le', value: one.effectiveOn && formatDate(one.effectiveOn) },
    {
      label: 'Décidée',
      value: one.decidedAt && `${formatDateTime(one.decidedAt)}${one.decidedBy && `, par ${one.decidedBy}`}`,
    },
    { label: 'Raison du refus', value: one.reason },
    {
      label: 'Signature',
      value: one.proof && `${one.proof.name}, ${formatDateTime(one.proof.at)}, depuis ${one.proof.ip}`,
    },
  ].flatMap(({ label, value }) => (value ? [{ label, value }] : []))

const Remarks = ({ remarks }: Pick<ApplicationDetail, 'remarks'>) =>
  remarks.length > 0 && (
    <ul aria-label="À vérifier" className="grid gap-2">
      {remarks.map(({ severity, message }) => (
        <li
          key={message}
          className={
            severity === 'refused'
              ? 'rounded-card bg-danger-soft p-3 text-danger'
              : 'rounded-card bg-warning-soft p-3 text-ink'
          }
        >
          {message}
        </li>
      ))}
    </ul>
  )

function SignedRequestButton({ id }: { id: string }) {
  const downloadRequest = () =>
    download(joiningDesk.paper, { params: { id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button variant="secondary" className="justify-self-start" onClick={() => void downloadRequest()}>
      Télécharger la demande signée (PDF)
    </Button>
  )
}

const ApplicationContent = ({ one, onClose }: { one: ApplicationDetail; onClose: () => void }) => (
  <div className="grid gap-5">
    <Remarks remarks={one.remarks} />
    <FactList facts={toFacts(one)} />
    {one.message && (
      <blockquote className="rounded-card border border-line bg-page p-4 text-body break-words whitespace-pre-line">
        {one.message}
      </blockquote>
    )}
    {one.hasPaper && <SignedRequestButton id={one.id} />}
    {one.state === 'waiting' && (
      <Can call={joiningDesk.accept}>
        <ApplicationDecision key={one.version} application={one} onDone={onClose} />
      </Can>
    )}
  </div>
)

function ApplicationDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(joiningDesk.get, { params: { id } }))
  return (
    <Dialog title={data?.name ?? 'Demande'} width="medium" open onOpenChange={onClose}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <ApplicationContent one={data} onClose={onClose} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Dialog>
  )
}

type DecideProps = { application: ApplicationDetail; onDone: () => void }
const DEPENDENT_QUERIES = [joiningDesk.list, joiningDesk.get]
const { accept, refuse } = joiningDesk

function AcceptForm({ application, onDone, onRefuse }: DecideProps & { onRefuse: () => void }) {
  const { id, kind, firstOn, version } = application
  const action = useAction(accept, DEPENDENT_QUERIES)
  const isJoining = kind === 'join'
  const form = useSchemaForm(accept.body, {
    defaults: { on: firstOn, version },
    save: async (body) => {
      await action.run({ params: { id }, body })
      toast({
        title: isJoining ? 'Demande acceptée' : 'Départ accepté',
        description: isJoining
          ? 'La personne est invitée à ouvrir son espace.'
          : 'La personne en est prévenue par e-mail.',
        variant: 'success',
      })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 border-t border-line pt-5">
      <FormErrors form={form} />
      <Field
        form={form}
        name="on"
        type="date"
        label={isJoining ? 'Premier jour de la participation' : 'Premier jour sans participation'}
        hint={`Au plus tôt le ${formatDate(firstOn)}\u00a0: le gestionnaire de réseau est prévenu avant.`}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onRefuse}>
          Refuser…
        </Button>
        <Button type="submit" loading={form.formState.isSubmitting}>
          {isJoining ? 'Accepter l’entrée' : 'Accepter le départ'}
        </Button>
      </div>
    </form>
  )
}

function RefuseForm({ application, onDone, onBack }: DecideProps & { onBack: () => void }) {
  const { id, version } = application
  const action = useAction(refuse, DEPENDENT_QUERIES)
  const form = useSchemaForm(refuse.body, {
    defaults: { reason: '', version },
    save: async (body) => {
      await action.run({ params: { id }, body })
      toast({ title: 'Demande refusée', description: 'La raison est envoyée par e-mail.', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 border-t border-line pt-5">
      <FormErrors form={form} />
      <Field form={form} name="reason" label="Raison du refus" hint="Elle est envoyée telle quelle à la personne.">
        {(control) => <Textarea {...control} rows={4} />}
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onBack}>
          Revenir
        </Button>
        <Button type="submit" variant="danger" loading={form.formState.isSubmitting}>
          Refuser la demande
        </Button>
      </div>
    </form>
  )
}

/** One decision or the other, each with what it needs. */
function ApplicationDecision(props: DecideProps) {
  const [refusing, setRefusing] = useState(false)
  return refusing ? (
    <RefuseForm {...props} onBack={() => setRefusing(false)} />
  ) : (
    <AcceptForm {...props} onRefuse={() => setRefusing(true)} />
  )
}
