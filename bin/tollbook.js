#!/usr/bin/env node
import { main } from '../dist/src/main/tollbook.js'

process.exit(await main(process.argv.slice(2), process.env))
