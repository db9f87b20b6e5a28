import type { ComponentType } from 'react'
import { findMissingPermission } from '../lib/admission.ts'
import { useSession } from '../lib/session.ts'
import type { Screen } from '../screens/types.ts'
import { AccessDenied } from './refusal.tsx'

/** The screen for those who hold its rights; the others are told which one they lack. */
export const withPermissionCheck = (row: Screen, Shown: ComponentType) =>
  function Gate() {
    const { user } = useSession()
    if (!user) return null
    const missing = findMissingPermission(row, user)
    return missing ? <AccessDenied title={row.title} missing={missing} user={user} /> : <Shown />
  }
