import { useQuery } from '@tanstack/react-query'
import { type Buyer, BuyerUpdate } from '@voisol/contract/buyers'
import { parties } from '@voisol/contract/parties'
import { settings } from '@voisol/contract/settings'
import { useState } from 'react'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../button.tsx'
import { Field, FormErrors } from '../field.tsx'
import { Select, Textarea } from '../input.tsx'
import { RadioGroup } from '../radio-group.tsx'
import { BUYER_KIND_LABELS, DELIVERY_LABELS, toChoices } from './buyer-facts.tsx'

const { version: _, jointHolders: _holders, groupId: _group, ...fields } = BuyerUpdate.shape
const BuyerForm = z.object({
  ...fields,
  /** One a line. */
  jointHolders: z.string().transform((text) =>
    text
      .split('\n')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
  groupId: z.string().transform((id) => id || null),
})
type FormState = ReturnType<typeof useSchemaForm<typeof BuyerForm>>
type Props = { form: FormState }
const twoColumnsClass = 'grid gap-4 sm:grid-cols-2'

const IdentityFields = ({ form, buyer }: Props & { buyer: Buyer }) => (
  <>
    <RadioGroup label="Type d’acheteur" options={toChoices(BUYER_KIND_LABELS)} {...form.register('kind')} />
    <Field
      form={form}
      name="legalName"
      label="Nom imprimé"
      hint={`Laissez vide pour imprimer «\u00a0${buyer.sheetName}\u00a0».`}
      autoComplete="off"
      optional
    />
    {form.watch('kind') === 'person' ? (
      <Field form={form} name="jointHolders" label="Cotitulaires" hint="Un nom par ligne." optional>
        {(control) => <Textarea {...control} rows={2} />}
      </Field>
    ) : (
      <div className={twoColumnsClass}>
        <Field form={form} name="siret" label="SIRET" inputMode="numeric" autoComplete="off" optional />
        <Field form={form} name="vatNumber" label="Numéro de TVA" autoComplete="off" optional />
      </div>
    )}
    {form.watch('kind') === 'public' && (
      <div className={twoColumnsClass}>
        <Field
          form={form}
          name="serviceCode"
          label="Code service"
          hint="Celui de Chorus Pro."
          autoComplete="off"
          optional
        />
        <Field
          form={form}
          name="engagement"
          label="Engagement juridique"
          hint="Le bon de commande."
          autoComplete="off"
          optional
        />
      </div>
    )}
  </>
)

const AddressFields = ({ form }: Props) => (
  <>
    <Field
      form={form}
      name="address"
      label="Adresse de facturation"
      hint="Laissez vide pour reprendre celle de la fiche."
      autoComplete="off"
      optional
    />
    <div className="grid gap-4 sm:grid-cols-[11rem_minmax(0,1fr)_5rem]">
      <Field form={form} name="postalCode" label="Code postal" inputMode="numeric" autoComplete="off" optional />
      <Field form={form} name="city" label="Commune" autoComplete="off" optional />
      <Field form={form} name="country" label="Pays" autoComplete="off" />
    </div>
    <div className={twoColumnsClass}>
      <Field form={form} name="delivery" label="Remise des factures" hint="Chorus Pro pour une personne publique.">
        {(control) => <Select {...control} options={toChoices(DELIVERY_LABELS)} />}
      </Field>
      <Field
        form={form}
        name="email"
        label="Adresse e-mail"
        hint="Laissez vide pour reprendre celle de la fiche."
        type="email"
        autoComplete="off"
        optional
      />
    </div>
  </>
)

function PricingFields({ form }: Props) {
  const groups = useQuery(query(parties.groups, {}))
  const settingList = useQuery(query(settings.list, {}))
  const rates = settingList.data?.items.find(({ name }) => name === 'accise.rates')?.held.value
  const classes = z.array(z.object({ class: z.string() })).safeParse(rates).data ?? []
  return (
    <div className={twoColumnsClass}>
      <Field form={form} name="groupId" label="Groupe" hint="Un tarif peut le nommer." optional>
        {(control) => (
          <Select
            {...control}
            options={[
              { value: '', label: 'Aucun' },
              ...(groups.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </Field>
      <Field form={form} name="acciseClass" label="Classe d’accise" hint="Au-delà de 1 MW de production." optional>
        {(control) => (
          <Select
            {...control}
            options={[
              { value: '', label: 'Selon la puissance souscrite' },
              ...classes.map((row) => ({ value: row.class, label: row.class })),
            ]}
          />
        )}
      </Field>
    </div>
  )
}

/** What is not asked of a kind is not kept of it. */
function dropUnusedFields(value: z.output<typeof BuyerForm>) {
  const { kind } = value
  return {
    ...value,
    ...(kind !== 'person' && { jointHolders: [] }),
    ...(kind === 'person' && { siret: '', vatNumber: '' }),
    ...(kind !== 'public' && { serviceCode: '', engagement: '' }),
  }
}

/** How a participant is invoiced, beyond what its sheet says. */
export default function BuyerFormView({ buyer, onDone }: { buyer: Buyer; onDone: () => void }) {
  const save = useAction(parties.saveBuyer, [parties.buyers, parties.buyer, parties.groups])
  const [{ id, version }] = useState(buyer)
  const form = useSchemaForm(BuyerForm, {
    defaults: { ...buyer, jointHolders: buyer.jointHolders.join('\n'), groupId: buyer.groupId ?? '' },
    save: async (value) => {
      await save.run({ params: { id }, body: { ...dropUnusedFields(value), version } })
      toast({ title: 'Identité de facturation enregistrée', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <IdentityFields form={form} buyer={buyer} />
      <AddressFields form={form} />
      <PricingFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer l’identité
      </Button>
    </form>
  )
}
