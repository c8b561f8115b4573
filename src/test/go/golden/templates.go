// Rows: kind, template, seconds since 1970, nanoseconds of the second, what Go's text/template prints.
//
// The kind is "ok" (a template of the subset that the sink takes), "refused" (Go refuses it too), "more" (Go takes it, the
// subset doesn't have it), "bytes" (what Go prints is not UTF-8) or "any" (Go takes it; it may lie outside the subset).

package main

import (
	"fmt"
	"io"
	"math/rand"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"
)

type values struct {
	Date          string
	StartedAt     time.Time
	Resource, Run string
}

func render(text string, at time.Time) (string, error) {
	parsed, err := template.New("partition").Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = parsed.Execute(&out, values{at.Format("2006-01-02"), at, "accounts", "run-1"})
	return out.String(), err
}

// The subset by hand.
var subset = []string{
	"", "a", "a/b", "}}", "a}}b", "{", "}", "{ {.Date} }", "-", "{-", " ", "a b", "日本/é",
	"dt={{.Date}}", "{{ .Date }}", "{{\t.Date\n}}", "{{.StartedAt}}", "{{.Resource}}/{{.Run}}", "{{.Date}}{{.Date}}",
	`month={{.StartedAt.Format "2006-01"}}`, `year={{.StartedAt.Format "2006"}}/month={{.StartedAt.Format "01"}}`,
	`{{.StartedAt.Format "2006/01/02"}}`, "{{.StartedAt.Format `2006/01/02`}}", `{{ .StartedAt.Format   "15" }}`,
	"{{.StartedAt.Format\n`15`}}", `{{.StartedAt.Format ""}}`, "{{.StartedAt.Format ``}}", `{{.StartedAt.Format "}}"}}`,
	`{{.StartedAt.Format "{{.Date}}"}}`, `{{.StartedAt.Format "\"2006\""}}`, `{{.StartedAt.Format "\u0032006"}}`,
	`{{ "text" }}`, `{{"text"}}`, "{{`text`}}", `{{ "{{.Date}}" }}`, "{{`{{.Date}}`}}", `dt={{ "{{" }}.Date{{ "}}" }}`,
	`{{ "" }}`, "{{``}}", "{{`a\\n\"b`}}", "{{`a\rb`}}", "{{`a\nb`}}", `{{ "a -}} b" }}`, `{{"a"}}{{"b"}}`,
	`{{"\a\b\f\n\r\t\v\\\""}}`, `{{"\x41\101\u0041\U00000041"}}`, `{{"\xc3\xa9"}}`, `{{"\303\251"}}`, `{{"\xe6\x97\xa5é"}}`,
	`{{"\U0001F642"}}`, `{{"\000\x00"}}`, "a {{- .Date}}", "a \t\r\n{{- .Date -}} \t\r\n b", "a {{-\t.Date\t-}} b",
	"a {{-\n.Date\n-}} b", "a {{-  .Date  -}} b", "a {{ .Date -}} b", "a {{- .Date }} b", "{{- .Date -}}", " {{- .Date -}} ",
	`a {{- "" -}} b`, `{{" "}}{{- "b"}}`, `{{"a"}} {{- "b"}}`, `{{"a" -}} {{"b"}}`, `{{"a" -}} {{- "b"}}`,
	"a\u00a0{{- .Date -}}\u00a0b", "a\v{{- .Date -}}\fb", `{{- " a " -}}`, "{{- `-` -}}", `{{ "-" -}} -`, "a{{- .Date -}}b",
}

// What Go has and the subset has not.
var more = []string{
	"{{.}}", "{{$}}", "{{$.Date}}", "{{/* text */}}", "a {{- /* text */ -}} b", `{{printf "%s" .Date}}`, `{{.Date | print}}`,
	`{{"a" | print}}`, "{{if .Date}}x{{end}}", "{{range .Date}}{{else}}{{end}}", "{{with .Date}}{{.}}{{end}}", "{{.StartedAt.Year}}",
	"{{.StartedAt.UTC}}", "{{.StartedAt.Unix}}", `{{.StartedAt.UTC.Format "2006"}}`, "{{(.Date)}}", `{{("a")}}`,
	`{{.StartedAt.Format ("2006")}}`, `{{"2006" | .StartedAt.Format}}`, "{{.StartedAt.Format .Date}}", "{{$x := .Date}}", "{{1}}",
	"{{-1}}", "{{'a'}}", "{{true}}", "{{len .Date}}", `{{define "x"}}{{end}}`, `{{block "x" .}}{{end}}`, `{{eq .Date "x"}}`,
	"{{.StartedAt.String}}",
}

// What Go refuses.
var refused = []string{
	"{{", "{{}}", "{{ }}", "{{-}}", "{{- }}", "{{ -}}", "{{- -}}", "{{-  -}}", "{{{.Date}}}", "{{.Date", "{{.Date}", "{{.Date }",
	"{{.Date-}}", "{{-.Date}}", `{{-"a"}}`, `{{"a"-}}`, "{{-`a`-}}", "{{.date}}", "{{.DATE}}", "{{.Foo}}", "{{Date}}", "{{. Date}}",
	"{{.Date.Year}}", "{{.StartedAt.Foo}}", "{{.StartedAt.Format}}", "{{.StartedAt .Format}}", "{{.StartedAt. Format}}",
	`{{.StartedAt.Format"2006"}}`, "{{.StartedAt.Format`2006`}}", `{{.StartedAt.Format "2006" "01"}}`, "{{.StartedAt.Format 2006}}",
	"{{.StartedAt.Format '2'}}", "{{.StartedAt.Format 2006-01}}", `{{.StartedAt.Format "2006}}`, "{{.StartedAt.Format `2006}}",
	`{{.StartedAt.Format "20` + "\n" + `06"}}`, `{{.Date "2006"}}`, "{{.Date .Run}}", `{{"a" "b"}}`, `{{"a""b"}}`, "{{`a` `b`}}",
	"{{`a``b`}}", `{{"a" .Date}}`, "{{.Date}}{{", "{{.Date}} {{- ", `{{"a\"}}`, `{{"\q"}}`, `{{"\'"}}`, `{{"\x4"}}`, `{{"\xzz"}}`,
	`{{"\u12"}}`, `{{"\ud800"}}`, `{{"\U00110000"}}`, `{{"\udc00"}}`, `{{"\400"}}`, `{{"\18"}}`, `{{"\8"}}`, `{{"\U0000"}}`,
	"{{\u00a0.Date}}", "{{.Date\u00a0}}", "{{.Date\v}}", "{{\f.Date}}", "{{.Daté}}", "{{.Date;}}", "{{.Date,}}", "{{.Date|}}",
	"{{| .Date}}", "{{.Date)}}", "{{(.Date}}", "{{.Date \"}}", "{{.Date.}}", "{{..Date}}", "{{.Date}}}}{{}}", "{{\"a\nb\"}}",
	"{{end}}", "{{else}}", "{{nil}}", "{{foo}}", "{{ {{.Date}} }}", "{{\\.Date}}", "{{ #.Date }}", "{{&.Date}}", "{{/* a }}",
}

var texts = []string{
	"dt=", "/", "a", " ", "  ", "\t", "\n", "}}", "}", "{", "-", " -", "- ", "é", "日本", "🙂", "`", `"`, `\`, "'", "%s", "$x", ".Date",
}

var chars = []string{
	"a", "2006", "01", "02", "15", "/", " ", "-", "{{", "}}", " -}}", "{{- ", "é", "🙂", "'", ".Date", "=", "%", "\t",
}

var escapes = []string{
	`\"`, `\\`, `\n`, `\t`, `\x41`, `\101`, `\u00e9`, `\U0001F642`, `\xc3\xa9`, `\a`, `\v`, `\000`,
}

type maker struct{ *rand.Rand }

func (m maker) of(from []string) string { return from[m.Intn(len(from))] }

func (m maker) some(from []string, max int) string {
	var all strings.Builder
	for n := m.Intn(max + 1); n > 0; n-- {
		all.WriteString(m.of(from))
	}
	return all.String()
}

func (m maker) literal() string {
	if m.Intn(2) == 0 {
		return "`" + m.some(append([]string{`"`, `\`, "\n", "\r"}, chars...), 5) + "`"
	}
	return `"` + m.some(append(append([]string{"`"}, escapes...), chars...), 5) + `"`
}

func (m maker) action() string {
	spaces := []string{" ", "\t", "\n", "\r"}
	left, right := "{{"+m.some(spaces, 2), m.some(spaces, 2)+"}}"
	if m.Intn(4) == 0 {
		left = "{{-" + m.of(spaces) + m.some(spaces, 1)
	}
	if m.Intn(4) == 0 {
		right = m.some(spaces, 1) + m.of(spaces) + "-}}"
	}
	switch m.Intn(7) {
	case 0:
		return left + ".Date" + right
	case 1:
		return left + ".StartedAt" + right
	case 2:
		return left + ".Resource" + right
	case 3:
		return left + ".Run" + right
	case 4:
		return left + ".StartedAt.Format" + m.of(spaces) + m.some(spaces, 2) + m.literal() + right
	default:
		return left + m.literal() + right
	}
}

func (m maker) template() string {
	var all strings.Builder
	for n := 1 + m.Intn(5); n > 0; n-- {
		if m.Intn(2) == 0 {
			all.WriteString(m.some(texts, 3))
		} else {
			all.WriteString(m.action())
		}
	}
	return all.String()
}

func (m maker) damaged(text string) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return "{{"
	}
	at := m.Intn(len(runes))
	switch m.Intn(3) {
	case 0:
		return string(runes[:at]) + string(runes[at+1:])
	case 1:
		return string(runes[:at]) + m.of([]string{"{", "}", "-", " ", `"`, "`", `\`, ".", "x", "|", "(", "é", "\n"}) + string(runes[at:])
	default:
		return string(runes[:at]) + string(runes[at:at+1]) + string(runes[at:])
	}
}

func printTemplates(out io.Writer) {
	started := []time.Time{
		date(2026, 9, 10, 2, 0, 0, 0),
		date(1969, 12, 31, 23, 59, 59, 120_000_000),
		date(12345, 1, 2, 3, 4, 5, 6),
	}
	row := func(kind, text string, at time.Time) {
		printed, err := render(text, at)
		switch {
		case err != nil:
			kind, printed = "refused", ""
		case !utf8.ValidString(printed):
			kind, printed = "bytes", ""
		}
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%s\n", kind, escape(text), at.Unix(), at.Nanosecond(), escape(printed))
	}
	for _, text := range subset {
		for _, at := range started {
			row("ok", text, at)
		}
	}
	for _, text := range more {
		row("more", text, started[0])
	}
	for _, text := range refused {
		row("more", text, started[0])
	}
	for _, text := range []string{`{{"\xff"}}`, `{{"\377"}}`, `a{{"\xc3"}}`, `{{.StartedAt.Format "\xc3"}}`, `{{"\xed\xa0\x80"}}`} {
		row("more", text, started[0])
	}
	random := maker{rand.New(rand.NewSource(7))}
	for i := 0; i < 1500; i++ {
		text, at := random.template(), started[random.Intn(len(started))]
		row("ok", text, at)
		row("any", random.damaged(text), at)
	}
}
