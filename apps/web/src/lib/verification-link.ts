import { auth } from '@voisol/contract/auth'
import { useState } from 'react'
import { call } from './call.ts'
import { explainError } from './error-text.ts'
import { toast } from './toast.ts'

/** Another link to confirm one's own address, and whether it has been sent. */
export function useVerificationLink() {
  const [sent, setSent] = useState(false)
  const send = async () => {
    try {
      await call(auth.askVerification, {})
      setSent(true)
    } catch (error) {
      toast({ variant: 'destructive', title: 'Lien non envoyé', description: explainError(error) })
    }
  }
  return { sent, send }
}
