package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var secret = []byte(os.Getenv("WEBHOOK_SECRET")) // the whole secret, including whsec_

var signature = regexp.MustCompile(`^t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})$`)

func isGenuine(body []byte, header string) bool {
	match := signature.FindStringSubmatch(header)
	if match == nil {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(match[1] + "."))
	mac.Write(body)
	expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
	found := false
	for _, entry := range strings.Split(match[2], ",") {
		found = hmac.Equal(expected, []byte(entry)) || found
	}
	t, _ := strconv.ParseInt(match[1], 10, 64)
	age := time.Now().Unix() - t
	return found && -300 <= age && age <= 300
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !isGenuine(body, r.Header.Get("Service-Signature")) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var envelope struct{ Type, ID string }
	if err := json.Unmarshal(body, &envelope); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Println(envelope.Type, envelope.ID)
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	port := cmp.Or(os.Getenv("PORT"), "8080")
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
