import { useQuery } from '@tanstack/react-query'
import { isRequiredField, type LegalField, LegalForm, type LegalNotice, legal } from '@voisol/contract/legal'
import { Button } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useCan } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

/** What the law asks for and the page does not say yet. */
const MissingFields = ({ missing }: { missing: string[] }) =>
  missing.length > 0 && (
    <p role="status" className="mb-6 max-w-3xl rounded-card border border-warning/30 bg-warning-soft p-4 text-body">
      La loi demande encore{'\u00a0'}: {missing.join(', ')}. La page publique le dit tant que ce n’est pas renseigné.
    </p>
  )

/** Who publishes the site and who hosts it. */
export default function LegalNoticePage() {
  const writes = useCan()(legal.save)
  const { data, error, refetch } = useQuery(query(legal.get, {}))
  return (
    <>
      <PageHeader
        title="Mentions légales"
        description="L’éditeur du site et son hébergeur, tels que la page publique les nomme. Rien n’y est écrit que vous n’ayez saisi ici."
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && !data && <Skeleton className="h-64 w-full" />}
      {data && (
        <>
          <MissingFields missing={data.missing} />
          {writes ? <LegalNoticeForm key={data.version} {...data} /> : <LegalNoticeFacts notice={data.notice} />}
        </>
      )}
    </>
  )
}

const formatFieldValue = (value: string | boolean) =>
  typeof value === 'boolean' ? (value ? 'Oui' : 'Non') : value || 'Non renseigné'

/** The notice for those who may not change it. */
const LegalNoticeFacts = ({ notice }: { notice: LegalNotice }) => (
  <Card title="Éditeur et hébergeur" className="max-w-3xl">
    <FactList
      facts={LEGAL_FIELD_LABELS.map(({ field, label }) => ({ label, value: formatFieldValue(notice[field]) }))}
    />
  </Card>
)

const LegalNoticeBody = legal.save.body
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const LEGAL_FORM_OPTIONS = LegalForm.options.map((value) => ({ value, label: value ? capitalize(value) : 'À choisir' }))

function useNoticeForm(notice: LegalNotice, version: number) {
  const save = useAction(legal.save, [legal.get])
  return useSchemaForm(LegalNoticeBody, {
    defaults: { ...notice, version },
    save: async (body) => {
      const { missing } = await save.run({ body })
      const description = missing.length ? 'Des informations manquent encore.' : 'La page publique est complète.'
      toast({ title: 'Mentions légales enregistrées', description, variant: 'success' })
    },
  })
}
type Form = ReturnType<typeof useNoticeForm>
type LegalFieldName = Parameters<typeof getLegalFieldLabel>[0]

const TextField = ({
  form,
  name,
  hint,
  optional,
}: {
  form: Form
  name: LegalFieldName
  hint?: string
  optional?: boolean
}) => <Field form={form} name={name} label={getLegalFieldLabel(name)} hint={hint} optional={optional} />
const MultilineField = ({ form, name }: { form: Form; name: LegalFieldName }) => (
  <Field form={form} name={name} label={getLegalFieldLabel(name)}>
    {(control) => <Textarea {...control} rows={2} />}
  </Field>
)

const PublisherCard = ({ form, chosen }: { form: Form; chosen: LegalNotice }) => (
  <Card title="Éditeur">
    <div className="grid gap-4">
      <TextField form={form} name="publisher" />
      <Field form={form} name="legalForm" label={getLegalFieldLabel('legalForm')}>
        {(control) => <Select {...control} options={LEGAL_FORM_OPTIONS} />}
      </Field>
      <TextField
        form={form}
        name="capital"
        hint="Par exemple 37 450 €."
        optional={!isRequiredField(chosen, 'capital')}
      />
      <TextField form={form} name="siren" hint="Neuf chiffres ; les espaces sont acceptés." />
      <TextField
        form={form}
        name="registry"
        hint="Par exemple RCS Lyon."
        optional={!isRequiredField(chosen, 'registry')}
      />
      <TextField form={form} name="vatNumber" optional />
      <MultilineField form={form} name="address" />
      <TextField form={form} name="email" />
      <TextField form={form} name="phone" />
      <TextField form={form} name="director" />
    </div>
  </Card>
)

const HostCard = ({ form }: { form: Form }) => (
  <Card title="Hébergeur">
    <div className="grid gap-4">
      <TextField form={form} name="hostName" />
      <MultilineField form={form} name="hostAddress" />
      <TextField form={form} name="hostPhone" />
    </div>
  </Card>
)

const SituationCard = ({ form, chosen }: { form: Form; chosen: LegalNotice }) => (
  <Card title="Selon votre situation">
    <div className="grid gap-4">
      <Checkbox label={getLegalFieldLabel('hasOfficer')} {...form.register('hasOfficer')} />
      {chosen.hasOfficer && <TextField form={form} name="officer" />}
      <Checkbox label={getLegalFieldLabel('sellsToConsumers')} {...form.register('sellsToConsumers')} />
      {chosen.sellsToConsumers && <TextField form={form} name="mediator" />}
    </div>
  </Card>
)

/** Saved as far as it goes: what is missing is named above, here and on the page. */
function LegalNoticeForm({ notice, version }: { notice: LegalNotice; version: number }) {
  const form = useNoticeForm(notice, version)
  const chosen = { ...notice, ...form.watch() }
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <PublisherCard form={form} chosen={chosen} />
      <HostCard form={form} />
      <SituationCard form={form} chosen={chosen} />
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Enregistrer les mentions légales
      </Button>
    </form>
  )
}

/** The fields in the order of the page. */
const LEGAL_FIELD_LABELS = [
  { field: 'publisher', label: 'Nom ou dénomination' },
  { field: 'legalForm', label: 'Forme juridique' },
  { field: 'capital', label: 'Capital social' },
  { field: 'siren', label: 'SIREN' },
  { field: 'registry', label: 'Registre du commerce (RCS)' },
  { field: 'vatNumber', label: 'TVA intracommunautaire' },
  { field: 'address', label: 'Adresse du siège' },
  { field: 'email', label: 'Adresse électronique' },
  { field: 'phone', label: 'Téléphone' },
  { field: 'director', label: 'Directeur ou directrice de la publication' },
  { field: 'hostName', label: 'Hébergeur' },
  { field: 'hostAddress', label: 'Adresse de l’hébergeur' },
  { field: 'hostPhone', label: 'Téléphone de l’hébergeur' },
  { field: 'hasOfficer', label: 'Un délégué à la protection des données est désigné' },
  { field: 'officer', label: 'Coordonnées du délégué' },
  { field: 'sellsToConsumers', label: 'Des particuliers sont parmi les clients' },
  { field: 'mediator', label: 'Médiateur de la consommation' },
] as const satisfies readonly { field: LegalField; label: string }[]
type LabelledField = (typeof LEGAL_FIELD_LABELS)[number]['field']

const getLegalFieldLabel = (field: LabelledField) => LEGAL_FIELD_LABELS.find((row) => row.field === field)?.label ?? ''
