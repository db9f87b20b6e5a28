import type { EndpointReply } from '@voisol/contract/endpoint'
import type { mandates } from '@voisol/contract/mandates'
import { useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import SignMandateDialog from './sign-mandate.tsx'

const EMPTY_OPTION = { value: '', label: 'Choisir…' }
type Props = { choices: EndpointReply<typeof mandates.list>; onClose: () => void }

/** Somebody signs on the office's screen: who and for whom first, then the text that is kept. */
export default function SignOnScreenDialog({ choices, onClose }: Props) {
  const [debtor, creditorField] = [useId(), useId()]
  const creditors = choices.creditors.map(({ id, name }) => ({ value: id, label: name }))
  const people = choices.people.map(({ id, name }) => ({ value: id, label: name }))
  const [participantId, setParticipant] = useState('')
  const [creditorId, setCreditor] = useState(creditors.length === 1 ? (creditors[0]?.value ?? '') : '')
  const [signing, setSigning] = useState(false)
  if (signing) return <SignMandateDialog whose={{ creditorId, participantId }} witnessed onClose={onClose} />
  return (
    <Dialog
      title="Faire signer un mandat à l’écran"
      description={
        'La personne est devant vous\u00a0: elle lit le texte, donne son compte et écrit elle-même son nom. Le vôtre est gardé avec la preuve.'
      }
      open
      onOpenChange={onClose}
    >
      {creditors.length === 0 ? (
        <p className="text-body">
          Aucun vendeur n’a de compte avec un identifiant créancier (ICS)&#160;: enregistrez-le d’abord dans
          «&#160;Tarifs et réglages&#160;», rubrique «&#160;Comptes bancaires&#160;».
        </p>
      ) : (
        <div className="grid gap-4">
          <FieldFrame id={debtor} label="Débiteur">
            <Select
              id={debtor}
              value={participantId}
              options={[EMPTY_OPTION, ...people]}
              onChange={({ target }) => setParticipant(target.value)}
            />
          </FieldFrame>
          <FieldFrame id={creditorField} label="Créancier">
            <Select
              id={creditorField}
              value={creditorId}
              options={[EMPTY_OPTION, ...creditors]}
              onChange={({ target }) => setCreditor(target.value)}
            />
          </FieldFrame>
          <Button
            className="justify-self-end"
            disabled={participantId === '' || creditorId === ''}
            onClick={() => setSigning(true)}
          >
            Montrer le texte à signer
          </Button>
        </div>
      )}
    </Dialog>
  )
}
