import { refreshUser, useSession } from '../lib/session.ts'
import { useVerificationLink } from '../lib/verification-link.ts'
import { Button } from './button.tsx'

/** Stands where the server would refuse until the address is confirmed; `purpose` ends the sentence « Confirmez votre adresse … ». */
export function EmailConfirmationNotice({ purpose }: { purpose: string }) {
  const { user } = useSession()
  const { sent, send } = useVerificationLink()
  if (!user || user.emailVerified) return null
  return (
    <div className="grid gap-3">
      <p className="text-body text-ink-soft">
        {sent
          ? `Un nouveau lien est parti à ${user.email}.`
          : `Confirmez d’abord votre adresse ${user.email} ${purpose}\u00a0: ouvrez le lien reçu à votre inscription.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {!sent && (
          <Button variant="secondary" onClick={send}>
            Recevoir un autre lien
          </Button>
        )}
        <Button variant="quiet" onClick={() => void refreshUser()}>
          J’ai confirmé mon adresse
        </Button>
      </div>
    </div>
  )
}
