import { VatMode } from '@voisol/contract/money'
import { parties } from '@voisol/contract/parties'
import { Bic } from '@voisol/contract/party-numbers'
import { Day } from '@voisol/contract/primitives'
import type { Seller, SellerVat } from '@voisol/contract/sellers'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Card, FactList } from '../../../../components/card.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { cx } from '../../../../components/cx.ts'
import { Confirm, Dialog } from '../../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { PartyIssues } from '../../../../components/issue-list.tsx'
import { RadioGroup } from '../../../../components/radio-group.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { numberInputSchema } from '../../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatCount, formatDate, formatMoney, formatPercent } from '../../../../lib/format.ts'
import { formatPrice } from '../../../../lib/price.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { formatCompanyNumber, formatVatMode, SELLER_VAT_MODE_LABELS } from '../labels.ts'
import { SellerFields } from './fields.tsx'
import { MandateCard } from './mandates.tsx'
import { SellerForm, toSellerBody, toSellerFormDefaults } from './seller-form.ts'

type Props = { seller: Seller }
const NOT_PROVIDED = <span className="font-normal text-ink-muted">Non renseigné</span>

const formatFee = (fee: Seller['managementFees'][number]) => {
  if (fee.kind === 'perKwh') return formatPrice(fee.price)
  return fee.kind === 'percentNet'
    ? `${formatPercent(fee.bp / 10_000, 2)} des ventes HT`
    : `${formatMoney(fee.amount)} HT par mois`
}

function buildSellerFacts(seller: Seller) {
  const { address, postalCode, city, country, siren, siret, vatNumber, managementFees } = seller
  const place = [address, `${postalCode} ${city}`.trim(), country === 'FR' ? '' : country].filter(Boolean).join(', ')
  return [
    {
      label: 'Préfixe',
      value: `${seller.prefix} (${formatCount(seller.documents, 'document émis', 'documents émis')})`,
    },
    { label: 'Forme et capital', value: seller.legalForm || NOT_PROVIDED },
    { label: 'SIREN', value: siren ? formatCompanyNumber(siren) : NOT_PROVIDED },
    { label: 'SIRET', value: siret ? formatCompanyNumber(siret) : NOT_PROVIDED },
    { label: 'Numéro de TVA', value: vatNumber || NOT_PROVIDED },
    ...(seller.payfip ? [{ label: 'PayFiP', value: seller.payfip }] : []),
    { label: 'Adresse', value: place || NOT_PROVIDED },
    { label: 'Contact', value: [seller.email, seller.phone].filter(Boolean).join('\n') || NOT_PROVIDED },
    ...(seller.participantId === null
      ? []
      : [{ label: 'Frais de gestion', value: managementFees.map(formatFee).join(' + ') || 'Aucun' }]),
  ]
}

const RemoveSeller = withAccess(parties.removeSeller, ({ seller: { id, name } }: Props) => {
  const remove = useAction(parties.removeSeller, [parties.sellers, parties.candidates])
  const [, setSearch] = useSearchParams()
  return (
    <Confirm
      title={`Retirer «\u00a0${name}\u00a0» des vendeurs\u00a0?`}
      description="Son régime de TVA et son compte sont effacés. Le participant reste."
      action="Retirer le vendeur"
      onConfirm={async () => {
        await remove.run({ params: { id } })
        toast({ title: 'Vendeur retiré', description: name, variant: 'success' })
        setSearch({ tab: 'sellers' })
      }}
      trigger={
        <Button variant="quiet" size="small">
          Retirer
        </Button>
      }
    />
  )
})

/** One seller: who it is, how it stands towards VAT, under which mandate, and where it is paid. */
export default function SellerDetail({ seller }: Props) {
  const [, setSearch] = useSearchParams()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="grid gap-2">
        <Button
          variant="quiet"
          size="small"
          className="-ml-3 justify-self-start"
          icon={<ArrowLeft aria-hidden="true" />}
          onClick={() => setSearch({ tab: 'sellers' })}
        >
          Tous les vendeurs
        </Button>
        <h2 className="text-lg font-semibold">{seller.name}</h2>
        <PartyIssues issues={seller.issues} />
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <Card
          title="Identité"
          actions={
            <>
              {seller.documents === 0 && <RemoveSeller seller={seller} />}
              <EditSellerButton seller={seller} />
            </>
          }
        >
          <FactList facts={buildSellerFacts(seller)} />
        </Card>
        <div className="grid gap-6 [&>*]:min-w-0">
          <VatCard seller={seller} />
          {seller.participantId !== null && <MandateCard seller={seller} />}
          <BankCard seller={seller} />
        </div>
      </div>
    </div>
  )
}

function SellerEditForm({ seller, onDone }: { seller: Seller; onDone: () => void }) {
  const update = useAction(parties.updateSeller, [parties.sellers])
  // The version of the moment the form was opened: a refresh behind it must not hide that somebody else wrote.
  const [{ id, version }] = useState(seller)
  const form = useSchemaForm(SellerForm, {
    defaults: toSellerFormDefaults(seller),
    save: async (value) => {
      await update.run({ params: { id }, body: { ...toSellerBody(value), version } })
      toast({ title: 'Vendeur enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-6">
      <FormErrors form={form} />
      <SellerFields form={form} organiser={seller.participantId === null} issued={seller.documents > 0} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le vendeur
      </Button>
    </form>
  )
}

const EditSellerButton = withAccess(parties.updateSeller, ({ seller }: { seller: Seller }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier le vendeur"
      description="Les factures déjà émises gardent l’identité de leur jour."
      width="wide"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small">
          Modifier
        </Button>
      }
    >
      <SellerEditForm seller={seller} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const BankForm = z.object({ iban: z.string().max(60), forget: z.boolean(), bic: Bic })
const formatMaskedIban = (end: string) => `•••• ${end}`
/** An empty field leaves the account as it is; to remove it is said aloud. */
const toIbanChange = ({ iban, forget }: z.output<typeof BankForm>) =>
  forget ? { iban: '' } : iban.trim() ? { iban } : {}

function BankEditForm({ seller, onDone }: Props & { onDone: () => void }) {
  const save = useAction(parties.sellerBank, [parties.sellers])
  const [{ id, version, ibanEnd, bic }] = useState(seller)
  const form = useSchemaForm(BankForm, {
    defaults: { iban: '', forget: false, bic },
    save: async (value) => {
      await save.run({ params: { id }, body: { ...toIbanChange(value), bic: value.bic, version } })
      toast({ title: 'Compte bancaire enregistré', variant: 'success' })
      onDone()
    },
  })
  const hint = ibanEnd
    ? `Enregistré\u00a0: ${formatMaskedIban(ibanEnd)}. Laissez vide pour le garder.`
    : 'Avec ou sans espaces.'
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="iban" label="IBAN" hint={hint} autoComplete="off" optional />
      {ibanEnd && <Checkbox label="Supprimer l’IBAN enregistré" {...form.register('forget')} />}
      <Field form={form} name="bic" label="BIC" autoComplete="off" optional />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le compte
      </Button>
    </form>
  )
}

const EditBankButton = withAccess(parties.sellerBank, ({ seller }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Compte bancaire du vendeur"
      description="L’IBAN est chiffré&#160;; ses factures l’impriment, aucun écran ne le montre."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label="Modifier le compte bancaire">
          Modifier
        </Button>
      }
    >
      <BankEditForm seller={seller} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const BankCard = ({ seller }: Props) => (
  <Card title="Compte bancaire" actions={<EditBankButton seller={seller} />}>
    <FactList
      facts={[
        {
          label: 'IBAN',
          value: seller.ibanEnd ? (
            <span className="tabular">{formatMaskedIban(seller.ibanEnd)}</span>
          ) : (
            <span className="font-normal text-ink-muted">Non renseigné</span>
          ),
        },
        { label: 'BIC', value: seller.bic || <span className="font-normal text-ink-muted">Non renseigné</span> },
      ]}
    />
  </Card>
)

const VatForm = z.object({ startsOn: Day, mode: VatMode, rate: numberInputSchema({ min: 0, max: 100, scale: 100 }) })
const MODE_OPTIONS = VatMode.options.map((value) => ({ value, ...SELLER_VAT_MODE_LABELS[value] }))

function NewVatModeForm({ seller: { id }, onDone }: Props & { onDone: () => void }) {
  const add = useAction(parties.addVat, [parties.sellers])
  const form = useSchemaForm(VatForm, {
    defaults: { startsOn: '', mode: 'standard', rate: '20' },
    save: async ({ startsOn, mode, rate }) => {
      await add.run({ params: { id }, body: { startsOn, mode, rate: mode === 'standard' ? rate : 0 } })
      toast({ title: 'Régime de TVA enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <RadioGroup label="Régime" options={MODE_OPTIONS} {...form.register('mode')} />
      {form.watch('mode') === 'standard' && (
        <Field form={form} name="rate" label="Taux" hint="En pourcentage." inputMode="decimal" autoComplete="off" />
      )}
      <Field
        form={form}
        name="startsOn"
        label="À partir du"
        hint="Un mois entier suit le régime de son dernier jour."
        type="date"
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le régime
      </Button>
    </form>
  )
}

const AddVatModeButton = withAccess(parties.addVat, ({ seller }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Changer de régime de TVA"
      description="Le régime vaut à partir d’un jour. Ce qui est émis ne change pas."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small">
          {seller.vat.length ? 'Changer de régime' : 'Dire son régime'}
        </Button>
      }
    >
      <NewVatModeForm seller={seller} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const RemoveVatModeButton = withAccess(parties.removeVat, ({ status: { id, startsOn } }: { status: SellerVat }) => {
  const remove = useAction(parties.removeVat, [parties.sellers])
  return (
    <Confirm
      title="Retirer ce régime&nbsp;?"
      description={`Celui du ${formatDate(startsOn)} n’a servi à aucune facture. Le précédent vaut de nouveau.`}
      action="Retirer le régime"
      onConfirm={() => remove.run({ params: { id } })}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Retirer le régime du ${formatDate(startsOn)}`}>
          Retirer
        </Button>
      }
    />
  )
})

const DOT_CLASSES: Record<SellerVat['state'], string> = {
  past: 'border-line-strong bg-card',
  held: 'border-primary-solid bg-primary-solid',
  future: 'border-primary-solid bg-card',
}

/** The modes one under the other, the newest first: a filled dot holds today. */
const VatTimeline = ({ vat }: { vat: SellerVat[] }) => (
  <ol className="grid gap-3">
    {vat.toReversed().map((status, at) => (
      <li
        key={status.id}
        className="relative grid grid-cols-[0.75rem_minmax(0,1fr)_auto] items-start gap-x-3 text-body"
      >
        {at < vat.length - 1 && (
          <span aria-hidden="true" className="absolute top-4 -bottom-3 left-[0.3125rem] w-0.5 bg-line" />
        )}
        <span
          aria-hidden="true"
          className={cx('relative mt-1 size-3 rounded-full border-2', DOT_CLASSES[status.state])}
        />
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
            {formatVatMode(status)}
            {status.state === 'held' && <Badge tone="success">En vigueur</Badge>}
            {status.state === 'future' && <Badge tone="info">À venir</Badge>}
          </span>
          <span className="tabular block text-[0.8125rem] text-ink-soft">
            {status.state === 'future' ? 'À partir du' : 'Depuis le'} {formatDate(status.startsOn)} · {status.by}
          </span>
        </span>
        {status.removable && <RemoveVatModeButton status={status} />}
      </li>
    ))}
  </ol>
)

const VatCard = ({ seller }: Props) => (
  <Card title="Régime de TVA" actions={<AddVatModeButton seller={seller} />}>
    {seller.vat.length ? (
      <VatTimeline vat={seller.vat} />
    ) : (
      <p className="text-body text-ink-soft">Rien n’est dit encore&nbsp;: aucune facture ne peut être faite.</p>
    )}
  </Card>
)
