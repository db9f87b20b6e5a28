import { type Mandate, mandates } from '@voisol/contract/mandates'
import { Bic } from '@voisol/contract/party-numbers'
import { Text } from '@voisol/contract/primitives'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { FactList } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { download } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { AccountFields } from './bank-account-fields.tsx'

type Props = { mandate: Mandate; onDone: () => void }
const AccountForm = z.object({ holder: Text, iban: z.string().min(1).max(60), bic: Bic })

/** Another account under the same mandate: the bank is told with the next debit. */
export function ChangeAccountForm({ mandate, onDone }: Props) {
  const change = useAction(mandates.account, [mandates.list])
  const form = useSchemaForm(AccountForm, {
    defaults: { holder: mandate.holder, iban: '', bic: '' },
    save: async (values) => {
      await change.run({ params: { id: mandate.id }, body: { ...values, version: mandate.version } })
      toast({ title: 'Compte changé', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <AccountFields form={form} hint={`Compte actuel\u00a0: •••• ${mandate.ibanEnd}.`} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Changer de compte
      </Button>
    </form>
  )
}

export function RevokeMandateForm({ mandate, onDone }: Props) {
  const revoke = useAction(mandates.revoke, [mandates.list])
  const form = useSchemaForm(z.object({ reason: Text }), {
    defaults: { reason: 'À la demande du titulaire' },
    save: async ({ reason }) => {
      await revoke.run({ params: { id: mandate.id }, body: { reason, version: mandate.version } })
      toast({ title: 'Mandat révoqué', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="reason" label="Raison" hint="Plus rien n’est prélevé sous ce mandat." />
      <Button type="submit" variant="danger" loading={form.formState.isSubmitting} className="justify-self-end">
        Révoquer le mandat
      </Button>
    </form>
  )
}

function SignedDocumentUpload({ mandate }: { mandate: Mandate }) {
  const put = useAction(mandates.putFile, [mandates.list])
  const [name, setName] = useState(mandate.file?.name ?? '')
  const send = (upload: File) =>
    put.run({ params: { id: mandate.id }, query: { name: upload.name }, upload }).then(
      ({ file }) => setName(file?.name ?? ''),
      (error: unknown) => toast({ title: 'Papier refusé', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <FileDrop
      label={name ? 'Remplacer le papier' : 'Joindre le papier signé'}
      hint={name || 'PDF ou image.'}
      accept=".pdf,.png,.jpg,.jpeg"
      disabled={put.isPending}
      onFile={send}
    />
  )
}

/** What is known of a mandate, its proof, and what may be changed. */
export default function MandateDialog({ mandate, onClose }: { mandate: Mandate; onClose: () => void }) {
  const can = useCan()
  const [openForm, setOpenForm] = useState<'account' | 'revoke' | null>(null)
  const { proof } = mandate
  const canChange = can(mandates.putFile) && mandate.state === 'active'
  const downloadDocument = () =>
    download(mandates.file, { params: { id: mandate.id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  const facts = [
    { label: 'Débiteur', value: mandate.participant },
    { label: 'Créancier', value: `${mandate.creditor}, ${mandate.ics}` },
    { label: 'Titulaire', value: mandate.holder },
    { label: 'Compte', value: `•••• ${mandate.ibanEnd}${mandate.amended ? ', changé depuis le dernier débit' : ''}` },
    { label: 'Signé le', value: formatDate(mandate.signedOn) },
    { label: 'Caduc le', value: `${formatDate(mandate.lapsesOn)}, sans prélèvement d’ici là` },
    ...(proof
      ? [
          {
            label: 'Preuve',
            value: `${proof.name}, ${formatDateTime(proof.at)}, ${proof.ip}${proof.witness ? `, devant ${proof.witness}` : ''}`,
          },
        ]
      : []),
  ]
  return (
    <Dialog title={`Mandat ${mandate.rum}`} open onOpenChange={onClose}>
      <div className="grid gap-4">
        <FactList facts={facts} />
        {proof && (
          <details className="text-body">
            <summary className="cursor-pointer text-ink-soft">Texte signé</summary>
            <p className="mt-2 rounded-card bg-page p-3 text-[0.8125rem] whitespace-pre-line">{proof.text}</p>
          </details>
        )}
        {canChange && mandate.method !== 'screen' && <SignedDocumentUpload mandate={mandate} />}
        {openForm === 'account' && <ChangeAccountForm mandate={mandate} onDone={onClose} />}
        {openForm === 'revoke' && <RevokeMandateForm mandate={mandate} onDone={onClose} />}
        {openForm === null && (
          <div className="flex flex-wrap justify-end gap-2">
            {mandate.file && (
              <Button variant="secondary" onClick={downloadDocument}>
                Lire le papier
              </Button>
            )}
            {canChange && (
              <>
                <Button variant="quiet" onClick={() => setOpenForm('revoke')}>
                  Révoquer
                </Button>
                <Button variant="secondary" onClick={() => setOpenForm('account')}>
                  Changer de compte
                </Button>
              </>
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}
