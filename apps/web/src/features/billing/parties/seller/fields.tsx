import { buildFrenchVatNumber } from '@voisol/contract/party-numbers'
import { Button } from '../../../../components/button.tsx'
import { Field } from '../../../../components/field.tsx'
import type { SellerFormState } from './seller-form.ts'

type Props = { form: SellerFormState; organiser: boolean; issued: boolean }
const twoColumnsClass = 'grid gap-4 sm:grid-cols-2'
const legendClass = 'mb-3 font-medium'

/** The number that the SIREN gives can be taken as it is. */
function VatNumberField({ form }: Pick<Props, 'form'>) {
  const siren = form.watch('siren').replace(/\s/g, '')
  const proposed = /^\d{9}$/.test(siren) && !form.watch('vatNumber') ? buildFrenchVatNumber(siren) : ''
  return (
    <div className="grid content-start gap-1">
      <Field form={form} name="vatNumber" label="Numéro de TVA" autoComplete="off" optional />
      {proposed && (
        <Button
          variant="quiet"
          size="small"
          className="justify-self-start"
          onClick={() => form.setValue('vatNumber', proposed, { shouldDirty: true })}
        >
          Reprendre {proposed}
        </Button>
      )}
    </div>
  )
}

const IdentityFields = ({ form }: Pick<Props, 'form'>) => (
  <fieldset className="grid gap-4">
    <legend className={legendClass}>Identité</legend>
    <div className={twoColumnsClass}>
      <Field form={form} name="name" label="Nom ou raison sociale" autoComplete="off" />
      <Field
        form={form}
        name="legalForm"
        label="Forme et capital"
        placeholder="SAS au capital de 10 000 €"
        autoComplete="off"
        optional
      />
    </div>
    <div className="grid gap-4 sm:grid-cols-3">
      <Field form={form} name="siren" label="SIREN" inputMode="numeric" placeholder="552 081 317" optional />
      <Field form={form} name="siret" label="SIRET" inputMode="numeric" optional />
      <VatNumberField form={form} />
    </div>
  </fieldset>
)

const ContactFields = ({ form }: Pick<Props, 'form'>) => (
  <fieldset className="grid gap-4">
    <legend className={legendClass}>Adresse et contact</legend>
    <Field form={form} name="address" label="Adresse" autoComplete="off" optional />
    <div className="grid gap-4 sm:grid-cols-[11rem_minmax(0,1fr)_6rem]">
      <Field form={form} name="postalCode" label="Code postal" inputMode="numeric" autoComplete="off" optional />
      <Field form={form} name="city" label="Commune" autoComplete="off" optional />
      <Field form={form} name="country" label="Pays" autoComplete="off" />
    </div>
    <div className={twoColumnsClass}>
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="off" optional />
      <Field form={form} name="phone" label="Téléphone" type="tel" autoComplete="off" optional />
    </div>
  </fieldset>
)

const FeeFields = ({ form }: Pick<Props, 'form'>) => (
  <fieldset className="grid gap-4">
    <legend className={legendClass}>Frais de gestion de l’organisateur</legend>
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <Field form={form} name="perKwh" label="Par kWh" hint="En c€/kWh." inputMode="decimal" optional />
      <Field form={form} name="percentNet" label="Part des ventes" hint="En % du HT." inputMode="decimal" optional />
      <Field form={form} name="fixed" label="Par mois" hint="En euros HT." inputMode="decimal" optional />
      <Field form={form} name="managementFeeRate" label="TVA de ces frais" hint="En %." inputMode="decimal" />
    </div>
  </fieldset>
)

export const SellerFields = ({ form, organiser, issued }: Props) => (
  <>
    <IdentityFields form={form} />
    <ContactFields form={form} />
    <fieldset className="grid gap-4">
      <legend className={legendClass}>Numéros de ses factures</legend>
      <Field
        form={form}
        name="prefix"
        label="Préfixe"
        hint={
          issued
            ? 'Des factures le portent\u00a0: il ne change plus.'
            : `Suivi de l’année et du rang\u00a0: ${form.watch('prefix') || 'TIL-'}2026-00001.`
        }
        readOnly={issued}
        autoComplete="off"
      />
      <Field
        form={form}
        name="payfip"
        label="Identifiant PayFiP"
        hint={
          'D’une personne publique dont les factures se paient sur payfip.gouv.fr\u00a0: six chiffres. Chaque facture porte alors sa référence.'
        }
        inputMode="numeric"
        autoComplete="off"
        optional
      />
    </fieldset>
    {!organiser && <FeeFields form={form} />}
  </>
)
