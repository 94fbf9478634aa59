// Reads a log in a folder with Go's own packages for notes and trees, which share nothing with the code under test:
// checkpoints, cosignatures, every entry, and proofs, both those made from the tiles and those that the log gives.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func must(err error) {
	if err != nil {
		fmt.Println("WRONG:", err)
		os.Exit(1)
	}
}

func read(path ...string) []byte {
	bytes, err := os.ReadFile(filepath.Join(append([]string{os.Args[1]}, path...)...))
	must(err)
	return bytes
}

// A witness's key, of a type that Go's package leaves to others.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newCosigner(vkey string) *cosigner {
	parts := strings.SplitN(strings.TrimSpace(vkey), "+", 3)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	must(err)
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	return &cosigner{parts[0], binary.BigEndian.Uint32(sum[:4]), key[1:]}
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }
func (c *cosigner) Verify(text, signature []byte) bool {
	if len(signature) != 72 {
		return false
	}
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), text)
	return ed25519.Verify(c.key, []byte(message), signature[8:])
}

type tiles struct{}

func (tiles) Height() int                         { return height }
func (tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		found = append(found, read(pathOf(tile)))
	}
	return found, nil
}

// Go writes the height of its tiles into their paths, and has another name for entries.
func pathOf(tile tlog.Tile) string {
	path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
	return strings.Replace(path, "tile/data/", "tile/entries/", 1)
}

func treeOf(signed []byte, verifiers note.Verifiers) tlog.Tree {
	opened, err := note.Open(signed, verifiers)
	must(err)
	if len(opened.Sigs) != 2 {
		must(fmt.Errorf("%d signatures of known keys", len(opened.Sigs)))
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	root, err := tlog.ParseHash(lines[2])
	must(err)
	return tlog.Tree{N: size, Hash: root}
}

func leavesOf(size int64) []tlog.Hash {
	var leaves []tlog.Hash
	for n := int64(0); n*256 < size; n++ {
		width := size - n*256
		if width > 256 {
			width = 256
		}
		bytes := read(pathOf(tlog.Tile{H: height, L: -1, N: n, W: int(width)}))
		for len(bytes) > 0 {
			end := 2 + int(binary.BigEndian.Uint16(bytes))
			leaves = append(leaves, tlog.RecordHash(bytes[2:end]))
			bytes = bytes[end:]
		}
	}
	if int64(len(leaves)) != size {
		must(fmt.Errorf("%d entries of %d", len(leaves), size))
	}
	return leaves
}

// The hashes of a proof, behind its first lines, and the checkpoint below them.
func proofIn(text []byte, behind int) ([]tlog.Hash, []byte) {
	parts := strings.SplitN(string(text), "\n\n", 2)
	var hashes []tlog.Hash
	for _, line := range strings.Split(parts[0], "\n")[behind:] {
		hash, err := tlog.ParseHash(line)
		must(err)
		hashes = append(hashes, hash)
	}
	return hashes, []byte(parts[1])
}

func main() {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read("vkey"))))
	must(err)
	verifiers := note.VerifierList(verifier, newCosigner(string(read("witness-vkey"))))
	tree := treeOf(read("checkpoint"), verifiers)
	hashes := tlog.TileHashReader(tree, tiles{})
	leaves := leavesOf(tree.N)
	for index, leaf := range leaves {
		proof, err := tlog.ProveRecord(tree.N, int64(index), hashes)
		must(err)
		must(tlog.CheckRecord(proof, tree.N, tree.Hash, int64(index), leaf))
	}
	files, err := filepath.Glob(filepath.Join(os.Args[1], "proofs", "*"))
	must(err)
	for _, file := range files {
		parts := strings.Split(filepath.Base(file), "-")
		from, err := strconv.ParseInt(parts[1], 10, 64)
		must(err)
		if parts[0] == "inclusion" {
			proof, signed := proofIn(read("proofs", filepath.Base(file)), 2)
			then := treeOf(signed, verifiers)
			must(tlog.CheckRecord(proof, then.N, then.Hash, from, leaves[from]))
			continue
		}
		proof, signed := proofIn(read("proofs", filepath.Base(file)), 1)
		then := treeOf(signed, verifiers)
		before := treeOf(read("checkpoints", parts[1]), verifiers)
		must(tlog.CheckTree(proof, then.N, then.Hash, before.N, before.Hash))
		own, err := tlog.ProveTree(tree.N, before.N, hashes)
		must(err)
		must(tlog.CheckTree(own, tree.N, tree.Hash, before.N, before.Hash))
	}
	fmt.Printf("Go agrees: %d entries, %d proofs\n", tree.N, len(files))
}
