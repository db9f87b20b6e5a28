import { auth } from '@voisol/contract/auth'
import MailCheck from 'lucide-react/icons/mail-check'
import { useState } from 'react'
import { call } from '../lib/call.ts'
import { explain } from '../lib/explain.ts'
import { toast } from '../lib/toast.ts'

/** Until the address is confirmed nobody can be invited: said where it will be missed, with the way out. */
export function VerifyBanner({ email }: { email: string }) {
  const [sent, setSent] = useState(false)
  const send = async () => {
    try {
      await call(auth.askVerification, {})
      setSent(true)
    } catch (error) {
      toast({ variant: 'destructive', title: 'Lien non envoyé', description: explain(error) })
    }
  }
  return (
    <section
      aria-label="Adresse à confirmer"
      data-print="hide"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-card px-4 py-1.5 text-center text-[0.8125rem]"
    >
      <MailCheck aria-hidden="true" className="hidden size-4 text-ink-soft sm:block" />
      <p>
        {sent ? 'Un nouveau lien est parti' : 'Confirmez votre adresse'}
        <span className="hidden sm:inline"> {sent ? `à ${email}` : email}</span>
        {sent ? '.' : ' pour inviter d’autres personnes.'}
      </p>
      {!sent && (
        <button
          type="button"
          onClick={send}
          className="min-h-6 font-medium text-primary-ink underline underline-offset-2"
        >
          Renvoyer le lien
        </button>
      )}
    </section>
  )
}
