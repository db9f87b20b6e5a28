import { type BankLine, bank } from '@voisol/contract/bank'
import { Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatMoney } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'

const IgnoreLineForm = z.object({ reason: Text })
type IgnoreLineProps = { line: BankLine; onClose: () => void; onDone: (line: BankLine) => void }

/** A movement that is no payment of ours: left aside, with the reason that whoever reads it later will ask for. */
export default function IgnoreLineDialog({ line, onClose, onDone }: IgnoreLineProps) {
  const ignore = useAction(bank.ignore, [bank.lines, bank.accounts])
  const form = useSchemaForm(IgnoreLineForm, {
    defaults: { reason: line.amount < 0 ? 'Frais bancaires' : '' },
    save: async ({ reason }) =>
      onDone(await ignore.run({ params: { id: line.id }, body: { reason, version: line.version } })),
  })
  return (
    <Dialog
      title="Laisser ce mouvement de côté"
      description={`${formatMoney(line.amount)}, ${line.party || line.label}. Il reste dans la liste et peut être repris.`}
      open
      onOpenChange={onClose}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <FormErrors form={form} />
        <Field form={form} name="reason" label="Raison" hint="Par exemple «&#160;Apport personnel&#160;»." autoFocus />
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
          Laisser de côté
        </Button>
      </form>
    </Dialog>
  )
}
