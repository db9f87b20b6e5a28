import { z } from 'zod'

const NETWORK_ERROR = 'Adresse ou réseau attendu, par exemple 203.0.113.7, 203.0.113.0/24 ou 2001:db8::/48.'
const Single = z.union([z.ipv4(), z.ipv6()])
const Range = z.union([z.cidrv4(), z.cidrv6()])

/** An address, or a network written as CIDR (RFC 4632, RFC 4291); one address is a network of its own. */
export const Network = z
  .string()
  .trim()
  .toLowerCase()
  .max(50)
  .refine((text) => Single.safeParse(text).success || Range.safeParse(text).success, NETWORK_ERROR)
  .transform((text) => (text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`))

/** Those from which something is accepted; none means from everywhere. */
export const Networks = z
  .array(Network)
  .max(50, 'Cinquante réseaux au plus.')
  .transform((all) => [...new Set(all)])
