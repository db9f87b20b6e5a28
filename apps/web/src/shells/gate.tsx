import type { ComponentType } from 'react'
import { missingFor } from '../lib/admission.ts'
import { useSession } from '../lib/session.ts'
import type { Screen } from '../screens/types.ts'
import { Refusal } from './refusal.tsx'

/** The screen for those who hold its rights; the others are told which one they lack. */
export const gated = (row: Screen, Shown: ComponentType) =>
  function Gate() {
    const { user } = useSession()
    if (!user) return null
    const missing = missingFor(row, user)
    return missing ? <Refusal title={row.title} missing={missing} user={user} /> : <Shown />
  }
