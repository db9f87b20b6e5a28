import { z } from 'zod'
import { CurrentUser } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { OptionalText, Text, Version } from './primitives.ts'

export const ProfileUpdate = z.strictObject({ firstName: Text, lastName: Text, phone: OptionalText, version: Version })

export const profile = {
  update: endpoint({
    method: 'PATCH',
    path: '/api/profile',
    access: 'signed-in',
    reaches: 'person',
    summary: 'Modifier son profil',
    body: ProfileUpdate,
    response: CurrentUser,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/profile/export',
    access: 'signed-in',
    reaches: 'person-or-company',
    summary: 'Télécharger ses données',
    response: { file: 'application/zip' },
  }),
}
