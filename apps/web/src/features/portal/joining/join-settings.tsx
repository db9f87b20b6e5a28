import { useQuery } from '@tanstack/react-query'
import { type JoinSettings, JoinSettingsUpdate, joiningDesk } from '@voisol/contract/joining-management'
import { operations } from '@voisol/contract/operations'
import { useParams } from 'react-router'
import { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useCan } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate } from '../../../lib/format.ts'
import { useParentName } from '../../../lib/object-names.ts'
import { formatPrice } from '../../../lib/price.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

/** A number of days is typed. */
const JoinSettingsForm = JoinSettingsUpdate.extend({
  noticeDays: z.coerce.number<string>().pipe(JoinSettingsUpdate.shape.noticeDays),
})

const toFacts = (settings: JoinSettings) => [
  { label: 'Page', value: settings.isOpen ? 'Ouverte' : 'Fermée\u00a0: son adresse n’existe pas' },
  {
    label: 'Prix annoncé',
    value:
      settings.price === null
        ? 'Aucun prix n’est le même pour tous dans le tarif en vigueur'
        : `${formatPrice(settings.price)}, du tarif en vigueur`,
  },
  { label: 'Première entrée possible', value: formatDate(settings.firstOn) },
  { label: 'Accord de participation', value: `Version ${settings.agreementVersion}` },
]

const JoinPageAddress = ({ settings }: { settings: JoinSettings }) => (
  <Card
    title="Ce que la page dit d’elle-même"
    description="Le prix et la première date viennent du tarif et des réglages&nbsp;: ils ne se recopient pas."
  >
    <FactList facts={toFacts(settings)} />
    {settings.isOpen && (
      <p className="mt-4 flex flex-wrap items-center gap-3">
        <a href={settings.url} className="text-link break-all">
          {settings.url}
        </a>
        <CopyButton text={settings.url} label="Copier l’adresse" />
      </p>
    )}
  </Card>
)

function JoinSettingsEditor({ settings }: { settings: JoinSettings }) {
  const save = useAction(joiningDesk.saveSettings, [joiningDesk.settings])
  const { operationId, slug, isOpen, presentation, conditions, agreement, noticeDays, version } = settings
  const form = useSchemaForm(JoinSettingsForm, {
    defaults: { slug, isOpen, presentation, conditions, agreement, noticeDays: String(noticeDays), version },
    save: async (body) => {
      const after = await save.run({ params: { id: operationId }, body })
      toast({ title: after.isOpen ? 'La page est ouverte' : 'La page est fermée', variant: 'success' })
    },
  })
  return (
    <Card title="La page et son accord">
      <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-5">
        <FormErrors form={form} />
        <Checkbox
          {...form.register('isOpen')}
          label="Ouvrir la page «&nbsp;Rejoindre&nbsp;»"
          hint="Fermée, son adresse n’existe pas et personne ne peut demander à entrer."
        />
        <Field
          form={form}
          name="slug"
          label="Adresse"
          hint="La partie lisible&nbsp;; le numéro de votre organisation la suit."
        />
        <Field form={form} name="presentation" label="Présentation">
          {(control) => <Textarea {...control} rows={5} />}
        </Field>
        <Field form={form} name="conditions" label="Conditions" optional>
          {(control) => <Textarea {...control} rows={4} />}
        </Field>
        <Field
          form={form}
          name="agreement"
          label="Accord de participation"
          hint="Le participant le lit et le signe. Un autre texte est une autre version&nbsp;; les accords signés restent."
        >
          {(control) => <Textarea {...control} rows={10} />}
        </Field>
        <Field
          form={form}
          name="noticeDays"
          label="Préavis de départ, en jours"
          inputMode="numeric"
          hint="Jamais plus court que le délai du gestionnaire de réseau."
        />
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-start">
          Enregistrer la page
        </Button>
      </form>
    </Card>
  )
}

/** How one joins an operation: whether its page is open, what it says, and what is signed there. */
export default function JoinSettingsScreen() {
  const { id = '' } = useParams()
  const can = useCan()
  const { data: operation } = useQuery(query(operations.get, { params: { id } }))
  const { data, error, refetch } = useQuery(query(joiningDesk.settings, { params: { id } }))
  useParentName(operation?.name, `/acc-operations/${id}`)
  return (
    <>
      <PageHeader
        title="Page «&nbsp;Rejoindre&nbsp;»"
        description={operation && `Opération «\u00a0${operation.name}\u00a0»`}
        actions={
          <ButtonLink to={`/applications?operationId=${id}`} variant="secondary">
            Voir les demandes
          </ButtonLink>
        }
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div className="grid gap-6">
          <JoinPageAddress settings={data} />
          {can(joiningDesk.saveSettings) && <JoinSettingsEditor key={data.version} settings={data} />}
        </div>
      )}
    </>
  )
}
