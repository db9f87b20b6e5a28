import { useQuery, useQueryClient } from '@tanstack/react-query'
import { audit } from '@voisol/contract/audit'
import { documents } from '@voisol/contract/documents'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { type Operation, type OperationOverview, type OperationStatus, operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { sync } from '@voisol/contract/sync'
import Pencil from 'lucide-react/icons/pencil'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ReactNode, Suspense, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import type { Fact } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { CommuneFields } from '../../../components/commune-fields.tsx'
import { SummaryStrip } from '../../../components/detail-screen.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { CompletenessBar } from '../../../components/energy-cells.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { ApiError, call } from '../../../lib/call.ts'
import { type AccessTarget, useCan, withAccess } from '../../../lib/can.tsx'
import { confirmImpact } from '../../../lib/confirm-impact.ts'
import {
  ALLOCATION_METHOD_LABELS,
  OPERATION_STATUS_LABELS,
  PERIMETER_LABELS,
  toChoices,
  VAT_MODE_LABELS,
  ZONE_LABELS,
} from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { useObjectName } from '../../../lib/object-names.ts'
import { buildTabSearch } from '../../../lib/period-context.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { findConflictingChanges, OperationForm, toOperationForm, toOperationUpdate } from './detail/operation-form.ts'
import { OPERATION_DEPENDENT_QUERIES, STATUS_CHANGES, StatusChangeDialog } from './detail/status-change.tsx'

const OverviewTab = lazy(() => import('./detail/overview-tab.tsx'))
const ParticipantsTab = lazy(() => import('./detail/participants-tab.tsx'))
const EnergyTab = lazy(() => import('./detail/energy-tab.tsx'))
const KeysTab = lazy(() => import('./detail/keys-tab.tsx'))
const DocumentsTab = lazy(() => import('./detail/documents-tab.tsx'))
const DistributorTab = lazy(() => import('./detail/distributor-tab.tsx'))
const BillingTab = lazy(() => import('./detail/billing-tab.tsx'))
const JournalTab = lazy(() => import('./detail/journal-tab.tsx'))

const TAB_PARAM = 'onglet'
type TabRow = { value: string; label: string; needs: AccessTarget; content: (operation: Operation) => ReactNode }
const TABS: TabRow[] = [
  {
    value: 'apercu',
    label: 'Vue d’ensemble',
    needs: operations.overview,
    content: (operation) => <OverviewTab operation={operation} />,
  },
  {
    value: 'participants',
    label: 'Participants',
    needs: participants.list,
    content: (operation) => <ParticipantsTab operation={operation} />,
  },
  {
    value: 'energie',
    label: 'Énergie',
    needs: energy.series,
    content: (operation) => <EnergyTab operation={operation} />,
  },
  { value: 'cles', label: 'Clés', needs: keys.list, content: (operation) => <KeysTab operation={operation} /> },
  {
    value: 'documents',
    label: 'Documents',
    needs: documents.list,
    content: (operation) => <DocumentsTab operation={operation} />,
  },
  {
    value: 'distributeur',
    label: 'Distributeur',
    needs: sync.standing,
    content: (operation) => <DistributorTab operation={operation} />,
  },
  {
    value: 'facturation',
    label: 'Facturation',
    needs: 'billing.read',
    content: (operation) => <BillingTab operation={operation} />,
  },
  {
    value: 'journal',
    label: 'Journal',
    needs: audit.list,
    content: (operation) => <JournalTab operation={operation} />,
  },
]

const buildSummaryFacts = (operation: Operation): Fact[] => {
  const { status, totalCapacity, producers, consumers, method, completeness } = operation
  return [
    {
      label: 'État',
      value: <Badge tone={OPERATION_STATUS_LABELS[status].tone}>{OPERATION_STATUS_LABELS[status].label}</Badge>,
    },
    {
      label: 'Puissance installée',
      value: totalCapacity > 0 ? `${formatNumber(totalCapacity, 1)}\u00a0kWc` : 'Non renseignée',
    },
    {
      label: 'Participants',
      value: `${formatCount(producers, 'producteur')}, ${formatCount(consumers, 'consommateur')}`,
    },
    { label: 'Clé en vigueur', value: method ? ALLOCATION_METHOD_LABELS[method].label : 'Aucune' },
    { label: 'Complétude sur 30 jours', value: <CompletenessBar share={completeness} /> },
  ]
}

/** The open tab is in the address; another tab starts without the search of the last one, over the same days. */
function OperationTabs({ operation }: { operation: Operation }) {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const allowedTabs = TABS.filter(({ needs }) => can(needs))
  const value = allowedTabs.find((tab) => tab.value === search.get(TAB_PARAM))?.value ?? allowedTabs[0]?.value
  return (
    <Tabs
      label={`Rubriques de ${operation.name}`}
      value={value}
      onChange={(next) => setSearch((old) => buildTabSearch(next, `${old}`), { preventScrollReset: true })}
      tabs={allowedTabs.map(({ content, ...tab }) => ({ ...tab, content: <LazyTab>{content(operation)}</LazyTab> }))}
    />
  )
}

const describeOperation = ({ accNumber, address, postalCode, city }: Operation) =>
  [accNumber ?? 'Sans numéro ACC', [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')

const isNotFoundError = (error: Error) => error instanceof ApiError && (error.status === 404 || error.status === 422)

const OperationNotFound = () => (
  <>
    <PageHeader title="Opération introuvable" />
    <EmptyState
      title="Cette opération n’existe pas"
      why="Elle a pu être supprimée, ou l’adresse est celle d’une autre organisation."
      action={<ButtonLink to="/acc-operations">Voir les opérations</ButtonLink>}
    />
  </>
)

export default function OperationDetail() {
  const { id = '', operationId = id } = useParams()
  const params = { id: operationId }
  const { data: operation, error, refetch } = useQuery(query(operations.get, { params }))
  const { data: overview } = useQuery(query(operations.overview, { params }))
  useObjectName(operation?.name, 'Opération')
  if (error && isNotFoundError(error)) return <OperationNotFound />
  if (error)
    return (
      <>
        <PageHeader title="Opération" />
        <ErrorState error={error} onRetry={refetch} />
      </>
    )
  if (!operation)
    return (
      <>
        <PageHeader title="Opération" />
        <Skeleton className="h-96 w-full" />
      </>
    )
  return (
    <>
      <PageHeader
        title={operation.name}
        description={describeOperation(operation)}
        actions={<OperationActions operation={operation} overview={overview} />}
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={buildSummaryFacts(operation)} />
        <OperationTabs operation={operation} />
      </div>
    </>
  )
}

/** Each tab is loaded when it is opened. */
const LazyTab = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Skeleton className="h-72 w-full" />}>{children}</Suspense>
)

type ActionsProps = { operation: Operation; overview: z.output<typeof OperationOverview> | undefined }

function RemoveDraft({ operation }: { operation: Operation }) {
  const navigate = useNavigate()
  const remove = useAction(operations.remove, [operations.list])
  return (
    <Confirm
      title="Supprimer ce brouillon"
      description={`«\u00a0${operation.name}\u00a0» et ses clés seront supprimées. Les personnes et leurs points restent. Cela ne peut pas être annulé.`}
      action="Supprimer le brouillon"
      onConfirm={async () => {
        await remove.run({ params: { id: operation.id } })
        toast({ title: 'Brouillon supprimé', variant: 'success' })
        await navigate('/acc-operations')
      }}
      trigger={
        <Button variant="secondary" icon={<Trash2 aria-hidden="true" />}>
          Supprimer
        </Button>
      }
    />
  )
}

/** Edit, change of state, and the end of a draft. */
const OperationActions = withAccess(operations.update, ({ operation, overview }: ActionsProps) => {
  const [to, setTo] = useState<OperationStatus>()
  const [editing, setEditing] = useState(false)
  return (
    <>
      {operation.status === 'draft' && <RemoveDraft operation={operation} />}
      <Button variant="secondary" icon={<Pencil aria-hidden="true" />} onClick={() => setEditing(true)}>
        Modifier
      </Button>
      {overview && overview.transitions.length > 0 && (
        <Menu trigger={<Button icon={<RefreshCw aria-hidden="true" />}>Changer l’état</Button>}>
          {overview.transitions.map((status) => (
            <MenuItem key={status} tone={status === 'closed' ? 'danger' : 'neutral'} onSelect={() => setTo(status)}>
              {STATUS_CHANGES[status].action}
            </MenuItem>
          ))}
        </Menu>
      )}
      {to && overview && (
        <StatusChangeDialog operation={operation} overview={overview} to={to} onClose={() => setTo(undefined)} />
      )}
      {editing && <EditOperationDialog operation={operation} onClose={() => setEditing(false)} />}
    </>
  )
})

function useEditOperationForm(operation: Operation, onDone: () => void) {
  const client = useQueryClient()
  const update = useAction(operations.update, OPERATION_DEPENDENT_QUERIES)
  const params = { id: operation.id }
  const form = useSchemaForm(OperationForm, {
    defaults: toOperationForm(operation),
    save: async (value) => {
      try {
        const body = toOperationUpdate(value)
        const previewToken = await confirmImpact(
          { kind: 'operation', id: operation.id, body },
          'Enregistrer l’opération',
        )
        if (!previewToken) return
        await update.run({ params, body: { ...body, ...previewToken } })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'stale') throw error
        return showConflict(value, error)
      }
      toast({ title: 'Opération enregistrée', variant: 'success' })
      onDone()
    },
  })
  /** Somebody saved in between: the fields say what they wrote, and saving again is then a choice made knowingly. */
  const showConflict = async (value: OperationForm, error: ApiError) => {
    const current = await call(operations.get, { params })
    void client.invalidateQueries({ queryKey: [operations.list.path] })
    form.setValue('version', current.version)
    for (const { path, message } of findConflictingChanges(value, current)) form.setError(path, { message })
    form.setError('root', {
      message: `${error.detail} Enregistrer de nouveau remplace ce qui a été écrit entre-temps.`,
    })
  }
  return form
}

function EditOperationForm({ operation, onDone }: { operation: Operation; onDone: () => void }) {
  const form = useEditOperationForm(operation, onDone)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <OperationFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer l’opération
      </Button>
    </form>
  )
}

const EditOperationDialog = ({ operation, onClose }: { operation: Operation; onClose: () => void }) => (
  <Dialog
    title="Modifier l’opération"
    description={operation.name}
    width="wide"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <EditOperationForm operation={operation} onDone={onClose} />
  </Dialog>
)

type Form = UseFormReturn<z.input<typeof OperationForm>, unknown, OperationForm>

const STEP_OPTIONS = ['5', '10', '15', '30', '60'].map((value) => ({ value, label: `${value}\u00a0minutes` }))
const groupClass = 'grid gap-4 border-t border-line pt-5 first:border-0 first:pt-0 sm:grid-cols-2'

const FieldGroup = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <fieldset className={groupClass}>
    <legend className="sr-only">{title}</legend>
    <p aria-hidden="true" className="text-body font-semibold sm:col-span-2">
      {title}
    </p>
    {children}
  </fieldset>
)

const IdentityFields = ({ form }: { form: Form }) => (
  <FieldGroup title="Identité">
    <Field form={form} name="name" label="Nom de l’opération" />
    <Field form={form} name="accNumber" label="Numéro ACC" placeholder="ACC00000537" optional />
    <Field form={form} name="startsOn" label="Date de début" type="date" optional />
    <Field
      form={form}
      name="endsOn"
      label="Date de fin"
      hint="Premier jour qui n’en fait plus partie."
      type="date"
      optional
    />
    <div className="sm:col-span-2">
      <Field form={form} name="description" label="Description" optional>
        {(control) => <Textarea {...control} rows={3} />}
      </Field>
    </div>
    <Field form={form} name="pmoName" label="Personne morale organisatrice" optional />
    <Field form={form} name="pmoSiren" label="SIREN" inputMode="numeric" optional />
  </FieldGroup>
)

const PlaceFields = ({ form }: { form: Form }) => (
  <FieldGroup title="Adresse et périmètre">
    <Field form={form} name="address" label="Adresse" optional />
    <Field form={form} name="latitude" label="Coordonnées" placeholder="45,7601 ; 4,8512" optional />
    <div className="sm:col-span-2">
      <CommuneFields form={form} postalCode="postalCode" city="city" />
    </div>
    <Field form={form} name="perimeter" label="Type de périmètre">
      {(control) => <Select {...control} options={toChoices(PERIMETER_LABELS)} />}
    </Field>
    <Field form={form} name="zone" label="Zone">
      {(control) => <Select {...control} options={toChoices(ZONE_LABELS)} />}
    </Field>
    <Field
      form={form}
      name="capacityWatts"
      label="Puissance crête prévue, en kWc"
      hint="Celle des producteurs la remplace dès qu’ils sont connus."
      inputMode="decimal"
      optional
    />
    <Field form={form} name="stepMinutes" label="Pas de calcul" hint="En changer demande de recalculer la répartition.">
      {(control) => <Select {...control} options={STEP_OPTIONS} />}
    </Field>
  </FieldGroup>
)

const TariffFields = ({ form }: { form: Form }) => (
  <FieldGroup title="Tarif et horaires">
    <PriceField form={form} name="unitPrice" label="Prix de vente, en c€/kWh hors taxes" optional />
    <Field form={form} name="vatMode" label="Régime de TVA">
      {(control) => <Select {...control} options={toChoices(VAT_MODE_LABELS)} />}
    </Field>
    <Field form={form} name="surplusBuyer" label="Acheteur du surplus" optional />
    <Field
      form={form}
      name="offPeak"
      label="Heures creuses"
      hint="Jusqu’à quatre plages, séparées par des virgules."
      placeholder="22h-6h, 12h-14h"
      optional
    />
    <div className="sm:col-span-2">
      <Checkbox {...form.register('peak')} label="Compter à part les heures de pointe" />
    </div>
  </FieldGroup>
)

const OperationFields = ({ form }: { form: Form }) => (
  <>
    <IdentityFields form={form} />
    <PlaceFields form={form} />
    <TariffFields form={form} />
  </>
)
